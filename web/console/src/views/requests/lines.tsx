/** The lines of the list that are near the window; it goes on over thousands. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';
import type { DevEvent } from '../../dev/types';
import { Row } from './row';

const ROW = 28;

interface LinesProps {
  box: HTMLElement | null;
  events: readonly DevEvent[];
  /** Asked too often: how often, by their number. */
  often: ReadonlyMap<number, number>;
  openId: string | undefined;
  onOpen: (event: DevEvent) => void;
}

export function Lines({ box, events, often, openId, onOpen }: LinesProps) {
  const lines = useVirtualizer({
    count: events.length,
    getScrollElement: () => box,
    estimateSize: () => ROW,
    getItemKey: (index) => events[index]?.seq ?? index,
    overscan: 12,
  });
  const open = events.findIndex((event) => isOpen(event, openId));
  useEffect(() => {
    if (open !== -1) lines.scrollToIndex(open);
    // Where it stands changes with what comes; it is brought into sight once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [openId]);
  return (
    <ol className="relative" style={{ height: lines.getTotalSize() }}>
      {lines.getVirtualItems().map(({ index, key, start }) => {
        const event = events[index];
        return (
          event && (
            <li
              key={key}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row
                event={event}
                times={often.get(event.seq)}
                isOpen={isOpen(event, openId)}
                onOpen={() => onOpen(event)}
              />
            </li>
          )
        );
      })}
    </ol>
  );
}

function isOpen(event: DevEvent, id: string | undefined): boolean {
  return event.kind === 'request' && event.id === id;
}
