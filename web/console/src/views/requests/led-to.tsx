import type { ChangeData, DevEvent } from '../../dev/types';
import { Section } from '../../parts/section';
import { shortMs } from './row';

/** Row changes, mails, webhooks, lines of functions: what came of the request, as far as that is known. */
export function LedTo({ events }: { events: readonly DevEvent[] }) {
  return (
    <Section title="Led to">
      {events.length === 0 ? (
        <p className="text-muted-foreground">Nothing that is known.</p>
      ) : (
        <ul className="grid gap-1">
          {events.map((event) => (
            <li key={event.seq} className="flex gap-3">
              <span className="w-16 shrink-0 text-muted-foreground">{event.kind}</span>
              <span className="min-w-0 break-words">
                {event.title}
                {event.kind === 'change' && <Change change={event.data as DevEvent['data'] & ChangeData} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Which row it was, and how long after its commit those who follow it were told. */
function Change({ change: { key, lag_ms } }: { change: ChangeData }) {
  const named = Object.entries(key).map(([name, value]) => `${name} ${value ?? 'null'}`);
  const told = [...named, ...(lag_ms === null ? [] : [`${shortMs(lag_ms)} ms after its commit`])];
  return <span className="block text-muted-foreground">{told.join(' · ')}</span>;
}
