/** The list: newest first, as it happens. What comes while somebody reads waits until they ask for it. */
import { useMemo, useState, type ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { cn } from '@/lib/class-names';
import { journalOf, type JournalState } from '../../dev/journal';
import type { DevEvent } from '../../dev/types';
import { searchOf, useBranch, useJournal } from '../../dev/use-branch';
import { useKeys } from '../../frame/use-keys';
import { Button } from '../../parts/button';
import { focusFilter } from '../../parts/filter-input';
import { Notice, Refusal, Waiting } from '../../parts/notice';
import { FilterField } from './filter-field';
import { FirstRequest } from './first-request';
import { Lines } from './lines';
import { repeats } from './shape';
import { useFilter } from './use-filter';
import { useShown } from './use-shown';

/** In px: as long as the newest line is in sight, the list goes on. */
const AWAY = 4;
/** Of so many it is said that they are asked too often. */
const LOOKED_AT = 500;

export function RequestList() {
  const { id } = useParams();
  const branch = useBranch();
  const navigate = useNavigate();
  const [typed, setTyped] = useFilter();
  const journal = useJournal();
  // Not a ref: the lines are drawn once there is a box to measure.
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const [isAway, setAway] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const { events, waiting, show, unknown } = useShown(typed, isAway || hasFocus || id !== undefined);
  const often = useMemo(() => repeats(journal.events.slice(0, LOOKED_AT)), [journal.events]);
  const open = (event: DevEvent | undefined) => {
    if (!event?.id) return;
    const search = searchOf(branch, typed ? { q: typed } : {});
    void navigate({ pathname: `/requests/${event.id}`, search });
  };
  const requests = events.filter(({ kind }) => kind === 'request');
  const at = requests.findIndex((event) => event.id === id);
  useKeys({
    j: () => open(requests[at + 1]),
    k: () => open(requests[at === -1 ? 0 : at - 1]),
    '/': focusFilter,
  });
  const showNew = () => {
    show();
    box?.scrollTo({ top: 0 });
  };
  return (
    <section
      aria-label="Requests"
      className={cn('grid min-h-0 min-w-0 grid-rows-[auto_minmax(0,1fr)]', id && 'max-lg:hidden')}
    >
      <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2">
        <FilterField value={typed} onChange={setTyped} unknown={unknown} />
        {waiting > 0 && (
          <Button variant="primary" onClick={showNew}>
            {waiting} new
          </Button>
        )}
        <Button
          variant="ghost"
          onClick={() => void journalOf(branch).clear()}
          disabled={journal.events.length === 0}
        >
          Clear
        </Button>
      </div>
      <div
        ref={setBox}
        className="@container min-h-0 overflow-y-auto"
        onScroll={({ currentTarget }) => setAway(currentTarget.scrollTop > AWAY)}
        onFocus={() => setFocus(true)}
        onBlur={({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget))}
      >
        {events.length > 0 ? (
          <Lines box={box} events={events} often={often} openId={id} onOpen={open} />
        ) : (
          <NoLines journal={journal} onUnfiltered={() => setTyped('')} isFiltered={typed !== ''} />
        )}
      </div>
    </section>
  );
}

interface NoLinesProps {
  journal: JournalState;
  isFiltered: boolean;
  onUnfiltered: () => void;
}

function NoLines({ journal: { line, error }, isFiltered, onUnfiltered }: NoLinesProps): ReactNode {
  if (line === 'refused' && error) return <Refusal error={error} />;
  if (line === 'connecting') return <Waiting />;
  if (line === 'lost') return <Notice title="The server does not answer">Trying again …</Notice>;
  if (!isFiltered) return <FirstRequest />;
  return (
    <Notice title="Nothing fits the filter">
      <Button className="justify-self-start" onClick={onUnfiltered}>
        Remove the filter
      </Button>
    </Notice>
  );
}
