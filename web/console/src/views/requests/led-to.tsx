import type { DevEvent } from '../../dev/types';
import { Section } from '../../parts/section';

/** Mails, webhooks, lines of functions: what came of the request, as far as that is known. */
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
              <span className="min-w-0 break-words">{event.title}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
