/** What stands around every view: the rail, the bar, and the keys that work everywhere. */
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { searchOf, useBranch } from '../dev/use-branch';
import { VIEWS } from '../views';
import { Bar } from './bar';
import { Rail } from './rail';
import { useKeys } from './use-keys';

const Palette = lazy(() => import('./palette'));
const KeysHelp = lazy(() => import('./keys-help'));

export function Frame({ children }: { children: ReactNode }) {
  const branch = useBranch();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'palette' | 'keys'>();
  usePaletteKey(() => setOpen('palette'));
  useKeys({
    '?': () => setOpen('keys'),
    ...Object.fromEntries(
      VIEWS.map(({ path, letter }) => [
        `g ${letter}`,
        () => void navigate({ pathname: `/${path}`, search: searchOf(branch) }),
      ]),
    ),
  });
  const close = () => setOpen(undefined);
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)_auto] md:grid-cols-[auto_minmax(0,1fr)] md:grid-rows-[auto_minmax(0,1fr)]">
      <a
        href="#view"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-card focus:px-3 focus:py-2"
      >
        To the view
      </a>
      <Bar onPalette={() => setOpen('palette')} />
      <Rail />
      <main id="view" tabIndex={-1} className="min-h-0 min-w-0 outline-none max-md:row-start-2">
        {children}
      </main>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'keys' && <KeysHelp onClose={close} />}
      </Suspense>
    </div>
  );
}

/** ⌘K, or Ctrl-K, also while somebody types. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}
