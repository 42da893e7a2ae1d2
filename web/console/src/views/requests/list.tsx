/** The list: newest first, as it happens. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { cn } from '@/lib/class-names';
import { journalOf } from '../../dev/journal';
import { searchOf, useBranch, useJournal } from '../../dev/use-branch';
import type { DevEvent } from '../../dev/types';
import { useKeys } from '../../frame/use-keys';
import { Button } from '../../parts/button';
import { Notice, Refusal, Waiting } from '../../parts/notice';
import { FirstRequest } from './first-request';
import { FilterField } from './filter-field';
import { Row } from './row';
import { repeats } from './shape';
import { useShown } from './use-shown';

const ROW = 28;
const AWAY = 4;

export function RequestList() {
  const { id } = useParams();
  const branch = useBranch();
  const navigate = useNavigate();
  const [parameters, setParameters] = useSearchParams();
  const typed = parameters.get('q') ?? '';
  const { line, error, events: all } = useJournal();
  const box = useRef<HTMLDivElement>(null);
  const [isAway, setAway] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const { events, waiting, show, unknown } = useShown(typed, isAway || hasFocus || id !== undefined);
  const often = repeats(all);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    getItemKey: (index) => events[index]?.seq ?? index,
    overscan: 12,
  });
  const open = (event: DevEvent | undefined) => {
    if (event?.id)
      void navigate({
        pathname: `/requests/${event.id}`,
        search: searchOf(branch, typed ? { q: typed } : {}),
      });
  };
  const at = events.findIndex((event) => event.id === id && event.kind === 'request');
  const step = (by: 1 | -1) => {
    const next = nextOf(events, at, by);
    if (next === -1) return;
    rows.scrollToIndex(next);
    open(events[next]);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    '/': () => document.getElementById('filter')?.focus(),
  });
  useEffect(() => {
    if (!isAway && !hasFocus && box.current) box.current.scrollTop = 0;
  }, [isAway, hasFocus, all]);
  const change = (q: string) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (q === '') next.delete('q');
        else next.set('q', q);
        return next;
      },
      { replace: true },
    );
  return (
    <section
      aria-label="Requests"
      className={cn('grid min-h-0 min-w-0 grid-rows-[auto_minmax(0,1fr)]', id && 'max-lg:hidden')}
    >
      <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2">
        <FilterField value={typed} onChange={change} unknown={unknown} />
        {waiting > 0 && (
          <Button
            variant="primary"
            onClick={() => {
              show();
              box.current?.scrollTo({ top: 0 });
            }}
          >
            {waiting} new
          </Button>
        )}
        <Button variant="ghost" onClick={() => void journalOf(branch).clear()} disabled={all.length === 0}>
          Clear
        </Button>
      </div>
      <div
        ref={box}
        className="min-h-0 overflow-y-auto"
        onScroll={({ currentTarget }) => setAway(currentTarget.scrollTop > AWAY)}
        onFocus={() => setFocus(true)}
        onBlur={({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget))}
      >
        {events.length > 0 ? (
          <ol className="relative" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map(({ index, key, start }) => {
              const event = events[index];
              return (
                event && (
                  <li
                    key={key}
                    className="absolute inset-x-0 top-0"
                    style={{ transform: `translateY(${start}px)`, height: ROW }}
                  >
                    <Row
                      event={event}
                      times={often.get(event.seq)}
                      isOpen={event.id === id && event.kind === 'request'}
                      onOpen={() => open(event)}
                    />
                  </li>
                )
              );
            })}
          </ol>
        ) : line === 'refused' && error ? (
          <Refusal error={error} />
        ) : line === 'connecting' ? (
          <Waiting />
        ) : line === 'lost' ? (
          <Notice title="The server does not answer">Trying again …</Notice>
        ) : all.length > 0 ? (
          <Notice title="Nothing fits the filter">
            <Button className="justify-self-start" onClick={() => change('')}>
              Remove the filter
            </Button>
          </Notice>
        ) : (
          <FirstRequest />
        )}
      </div>
    </section>
  );
}

/** Only requests can be opened. */
function nextOf(events: readonly DevEvent[], from: number, by: 1 | -1): number {
  for (let index = from + by; index >= 0 && index < events.length; index += by)
    if (events[index]?.kind === 'request') return index;
  return -1;
}
