/** The sheet of the row that is open, and what stands there while it is on its way or when it is gone. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorPanel } from '@/components/error-panel';
import { Skeleton } from '@/components/ui/skeleton';
import { adminList as copy } from '@/copy/back-office';
import { RecordSheet } from './record-sheet';

interface OpenedRowProps<Row> {
  id: string | null;
  query: UseQueryResult<Row | null>;
  /** The row as the list shows it, until it is read by itself. */
  listed: Row | undefined;
  onClose: () => void;
  children: (row: Row) => ReactNode;
}

export function OpenedRow<Row>({ id, query, listed, onClose, children }: OpenedRowProps<Row>) {
  const { data, error, refetch } = query;
  if (id === null) return null;
  const row = data === undefined ? listed : data;
  if (row) return children(row);
  return (
    <RecordSheet title={copy.details} onClose={onClose}>
      {data === null ? (
        <p>{copy.gone}</p>
      ) : error ? (
        <ErrorPanel error={error} fallback={copy.failed} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-busy aria-label={copy.loading} className="space-y-3">
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-40 w-full" />
        </div>
      )}
    </RecordSheet>
  );
}
