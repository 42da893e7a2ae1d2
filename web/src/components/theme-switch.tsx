/** Three little buttons for pages without a user menu. */
import { Monitor, Moon, Sun } from 'lucide-react';
import { app } from '@/copy/app';
import { useTheme, type ThemeChoice } from '@/hooks/use-theme';

const OPTIONS = [
  ['light', Sun],
  ['dark', Moon],
  ['system', Monitor],
] as const satisfies readonly (readonly [ThemeChoice, typeof Sun])[];

export function ThemeSwitch() {
  const { choice, setChoice } = useTheme();
  return (
    <div
      role="group"
      aria-label={app.theme.label}
      className="inline-flex rounded-control border border-input p-0.5"
    >
      {OPTIONS.map(([value, Icon]) => (
        <button
          key={value}
          type="button"
          aria-label={app.theme[value]}
          aria-pressed={choice === value}
          onClick={() => setChoice(value)}
          className="grid size-11 place-items-center rounded-[2px] text-muted-foreground hover:text-foreground aria-pressed:bg-secondary aria-pressed:text-secondary-foreground sm:size-9"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      ))}
    </div>
  );
}
