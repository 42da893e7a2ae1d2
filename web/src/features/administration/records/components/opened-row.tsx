/** The sheet of the row that is open, and what stands there while it is on its way or when it is gone. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { ErrorPanel } from '@/components/error-panel';
import { Skeleton } from '@/components/ui/skeleton';
import { adminList as copy } from '@/copy/back-office';
import { RecordDetails, RecordSheet } from './record-sheet';

interface OpenedRowProps<Row extends Listed, Listed> {
  id: string | null;
  query: UseQueryResult<Row | null>;
  /** The row as the list shows it: it gives the name until the row is read by itself. */
  listed: Listed | undefined;
  titleOf: (row: Listed) => string;
  onClose: () => void;
  children: (row: Row) => ReactNode;
}

/** One sheet for all it may show: what comes while somebody reads takes neither their focus nor their place. */
export function OpenedRow<Row extends Listed, Listed>(props: OpenedRowProps<Row, Listed>) {
  const { id, query, listed, titleOf, onClose, children } = props;
  const { data } = query;
  if (id === null) return null;
  const named = data === undefined ? listed : data;
  return (
    <RecordSheet title={named ? titleOf(named) : copy.details} onClose={onClose}>
      {data ? (
        <Fragment key={id}>{children(data)}</Fragment>
      ) : (
        <RecordDetails>{data === null ? <p>{copy.gone}</p> : <Unread query={query} />}</RecordDetails>
      )}
    </RecordSheet>
  );
}

function Unread({ query: { error, refetch } }: { query: UseQueryResult }) {
  if (error) return <ErrorPanel error={error} fallback={copy.failed} onRetry={() => void refetch()} />;
  return (
    <div role="status" aria-busy aria-label={copy.loading} className="space-y-3">
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}
