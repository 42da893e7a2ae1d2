import { useQuery } from '@tanstack/react-query';
import { Clock as ClockIcon, TriangleAlert } from 'lucide-react';
import { useRef, useState, type RefObject } from 'react';
import { NavLink, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { cn } from '@/lib/class-names';
import { MAIN } from '../../dev/api';
import { offsetText } from '../../frame/offset-text';
import { useKeys } from '../../frame/use-keys';
import { Button } from '../../parts/button';
import { ageOf, sizeText, snapshotsQuery, spanText, type Branches, type BranchRow } from './branches';
import { NewBranch } from './new-branch';
import { NoBranches } from './no-branches';
import { Snapshots } from './snapshots';

/** `at` is when it was told. */
export function List({ branches: { branches, limit, leaving }, at }: { branches: Branches; at: number }) {
  const { id } = useParams();
  const [source, setSource] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const { data: snapshots = [] } = useQuery(snapshotsQuery);
  useListKeys(list);
  return (
    <div className={cn('flex min-h-0 flex-col', id !== undefined && 'max-lg:hidden')}>
      <div className="flex flex-wrap items-center justify-between gap-2 border-b px-3 py-2">
        <p role="status" className="text-[0.8125rem] text-muted-foreground">
          {branches.length} of {limit} branches{leaving > 0 && `, ${leaving} being removed`}
        </p>
        <Button variant="primary" onClick={() => setSource('base')}>
          New branch …
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ol ref={list} aria-label="Branches">
          <Line id={MAIN} label="the server’s own" />
          {branches.map((row) => (
            <Line key={row.id} id={row.id} label={row.label} row={row} at={at} />
          ))}
        </ol>
        {branches.length === 0 && <NoBranches />}
        <Snapshots snapshots={snapshots} onBranch={setSource} />
      </div>
      {source !== undefined && (
        <NewBranch
          source={source}
          rows={branches}
          snapshots={snapshots}
          onClose={() => setSource(undefined)}
        />
      )}
    </div>
  );
}

function Line({ id, label, row, at = 0 }: { id: string; label: string; row?: BranchRow; at?: number }) {
  const [parameters] = useSearchParams();
  return (
    <li>
      <NavLink
        to={{ pathname: `/branches/${id}`, search: parameters.toString() }}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 border-b px-3 py-1.5 -outline-offset-2 hover:bg-muted aria-[current=page]:bg-secondary"
      >
        <span className="flex min-w-0 items-center gap-2">
          <span className="code shrink-0 font-semibold">{id}</span>
          {row && <Chips row={row} />}
        </span>
        <span className="text-[0.8125rem] text-muted-foreground figures">{row && figuresText(row, at)}</span>
        <span className="col-span-2 truncate text-[0.8125rem] text-muted-foreground">
          {label || 'no label'}
          {row && ` · from ${row.from}`}
        </span>
      </NavLink>
    </li>
  );
}

function figuresText(row: BranchRow, at: number): string {
  const size = row.size_bytes === null ? [] : [sizeText(row.size_bytes)];
  return [...size, spanText(ageOf(row, at))].join(' · ');
}

/** What is not as usual in it. */
function Chips({ row: { clock, faults } }: { row: BranchRow }) {
  const chip =
    'flex items-center gap-1 rounded-control bg-accent px-1 text-[0.8125rem] text-accent-foreground';
  return (
    <>
      {(clock.frozen || Math.abs(clock.offset_s) >= 1) && (
        <span className={chip}>
          <ClockIcon aria-hidden className="size-3" />
          {clock.frozen ? 'stopped' : offsetText(clock.offset_s)}
        </span>
      )}
      {faults > 0 && (
        <span className={chip}>
          <TriangleAlert aria-hidden className="size-3" />
          {faults === 1 ? '1 fault' : `${faults} faults`}
        </span>
      )}
    </>
  );
}

/** `j` and `k` lead to the next and the previous one, Escape back to the list. */
function useListKeys(list: RefObject<HTMLOListElement | null>): void {
  const { id } = useParams();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const lines = () => [...(list.current?.querySelectorAll('a') ?? [])];
  const chosen = () => lines().findIndex(({ ariaCurrent }) => ariaCurrent === 'page');
  const step = (by: 1 | -1) => {
    const line = lines()[chosen() + by];
    line?.click();
    line?.focus();
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ...(id !== undefined && {
      Escape: () => {
        const line = lines()[chosen()];
        void navigate({ pathname: '/branches', search: parameters.toString() });
        requestAnimationFrame(() => line?.focus());
      },
    }),
  });
}
