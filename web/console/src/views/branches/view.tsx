/** Branches and snapshots of the server: all of them, and beside them the one that is chosen. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Route, Routes, useParams } from 'react-router-dom';
import { cn } from '@/lib/class-names';
import { MAIN } from '../../dev/api';
import { keys } from '../../dev/queries';
import { useEvents } from '../../dev/use-branch';
import { Notice, Refusal, Waiting } from '../../parts/notice';
import { rowsQuery } from './branches';
import { BackToAll, BranchPage } from './branch-page';
import { List } from './list';
import { MainPage } from './main-page';

/** Ages, and what tests make and drop. */
const ASK_MS = 3_000;

export default function BranchesView() {
  return (
    <Routes>
      <Route path=":id?" element={<Branches />} />
    </Routes>
  );
}

function Branches() {
  const { id } = useParams();
  const client = useQueryClient();
  const again = useCallback(() => void client.invalidateQueries({ queryKey: keys.branches }), [client]);
  useEvents(['branch'], again);
  const { data, error, dataUpdatedAt: at } = useQuery({ ...rowsQuery, refetchInterval: ASK_MS });
  if (error && !data) return <Refusal error={error} />;
  if (!data) return <Waiting />;
  const chosen = data.branches.find((row) => row.id === id);
  return (
    <div className="grid h-full min-h-0 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]">
      <List branches={data} at={at} />
      <article
        key={id}
        aria-label="Branch"
        className={cn('min-h-0 overflow-y-auto border-l', id === undefined && 'max-lg:hidden')}
      >
        {id === undefined ? (
          <p className="px-4 py-6 text-muted-foreground">Choose a branch to see and change it.</p>
        ) : id === MAIN ? (
          <MainPage />
        ) : chosen ? (
          <BranchPage row={chosen} rows={data.branches} at={at} />
        ) : (
          <Gone id={id} />
        )}
      </article>
    </div>
  );
}

function Gone({ id }: { id: string }) {
  return (
    <>
      <BackToAll />
      <Notice title={`There is no branch “${id}”`}>
        <p>It was dropped, or nobody used it for as long as it was to live.</p>
      </Notice>
    </>
  );
}
