import { cn } from '@/lib/class-names';
import { isRequest, type DevEvent } from '../../dev/types';
import { callerOf, decoded, placeOf } from './shape';
import { StatusCode } from './status-code';

interface RowProps {
  event: DevEvent;
  /** How often its like was asked within a second, if too often. */
  times: number | undefined;
  isOpen: boolean;
  onOpen: () => void;
}

const classes =
  'flex h-7 w-full items-center gap-2 overflow-hidden border-b px-3 text-left text-[0.8125rem] whitespace-nowrap -outline-offset-2';

export function Row({ event, times, isOpen, onOpen }: RowProps) {
  const content = isRequest(event) ? (
    <>
      <span className="code w-12 shrink-0 text-muted-foreground">{event.data.method}</span>
      <StatusCode status={event.data.status} />
      <span className="code min-w-0 flex-1 truncate">
        {placeOf(event)}
        {event.data.query && <span className="text-muted-foreground">?{decoded(event.data.query)}</span>}
      </span>
      {times !== undefined && (
        <span
          className="rounded-control bg-warning-tint px-1 font-semibold text-warning"
          title={`${times} of this shape within a second`}
        >
          ×{times}
        </span>
      )}
      {event.data.fault && (
        <span className="rounded-control bg-accent px-1 text-accent-foreground">fault</span>
      )}
      <span className="w-28 shrink-0 truncate text-muted-foreground @max-lg:hidden">{callerOf(event)}</span>
    </>
  ) : (
    <>
      <span className="w-12 shrink-0 text-muted-foreground">{event.kind}</span>
      <span
        className={cn(
          'min-w-0 flex-1 truncate',
          event.level === 'info' ? 'text-muted-foreground' : 'text-destructive',
        )}
      >
        {event.title}
      </span>
    </>
  );
  const time = (
    <>
      <span className="w-14 shrink-0 text-right text-muted-foreground figures">
        {event.ms === null ? '' : `${shortMs(event.ms)} ms`}
      </span>
      <time
        dateTime={event.at}
        className="w-16 shrink-0 text-right text-muted-foreground figures max-sm:hidden"
      >
        {timeText(event.at)}
      </time>
    </>
  );
  if (!isRequest(event))
    return (
      <div className={classes}>
        {content}
        {time}
      </div>
    );
  return (
    <button
      type="button"
      aria-current={isOpen ? 'true' : undefined}
      onClick={onOpen}
      className={cn(classes, 'hover:bg-muted', isOpen && 'bg-secondary')}
    >
      {content}
      {time}
    </button>
  );
}

export function shortMs(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : Math.round(ms).toString();
}

function timeText(at: string): string {
  return new Date(at).toLocaleTimeString([], { hour12: false });
}
