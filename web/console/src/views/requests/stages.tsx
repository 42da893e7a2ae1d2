import { cn } from '@/lib/class-names';
import { Section } from '../../parts/section';
import { shortMs } from './row';

const TONES = ['bg-chart-1', 'bg-chart-2', 'bg-chart-3', 'bg-chart-4', 'bg-chart-5'];

/** Where the time went, in milliseconds; what no stage counts is the rest. */
export function Stages({ total, stages }: { total: number | null; stages: Record<string, number> }) {
  if (total === null) return null;
  const known = Object.entries(stages).filter(([, ms]) => ms > 0);
  const counted = known.reduce((sum, [, ms]) => sum + ms, 0);
  const rest = Math.max(0, total - counted);
  const whole = Math.max(total, counted);
  const parts = [...known, ...(known.length > 0 && rest > 0 ? [['rest', rest] as const] : [])];
  return (
    <Section title={`Time, ${shortMs(total)} ms`}>
      {parts.length === 0 ? (
        <p className="text-muted-foreground">This room does not tell its stages.</p>
      ) : (
        <>
          <div aria-hidden className="flex h-2 overflow-hidden rounded-control bg-muted">
            {parts.map(([name, ms], index) => (
              <div key={name} className={toneOf(name, index)} style={{ width: `${(ms / whole) * 100}%` }} />
            ))}
          </div>
          <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
            {parts.map(([name, ms], index) => (
              <li key={name} className="flex items-center gap-1.5">
                <span aria-hidden className={cn('size-2 rounded-[2px]', toneOf(name, index))} />
                {name} <span className="text-muted-foreground figures">{shortMs(ms)} ms</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function toneOf(name: string, index: number): string | undefined {
  return name === 'rest' ? 'bg-input' : TONES[index % TONES.length];
}
