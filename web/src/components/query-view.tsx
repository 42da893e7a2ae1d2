/**
 * What a read brought, before anything else: rows that are here stay, also when reading them again fails. Without
 * them the failure, and until one of the two is known the skeleton.
 */
import type { ReactNode } from 'react';
import { app } from '@/copy/app';
import { errors } from '@/copy/errors';
import { ErrorPanel } from './error-panel';
import { Alert } from './ui/alert';
import { Button } from './ui/button';

/** As far as a query of TanStack is needed here; a screen may also hand over its parts. */
export interface ReadResult<Data> {
  data: Data | undefined;
  error: Error | null;
  refetch: () => unknown;
}

interface QueryViewProps<Data> {
  query: ReadResult<Data>;
  /** The text of a failure without one. */
  error: string;
  pending: ReactNode;
  /** In place of a list without rows. */
  empty?: ReactNode;
  /** Of the panel and of the note, such as the padding inside a card. */
  className?: string;
  children: (data: Data) => ReactNode;
}

export function QueryView<Data>({ query, error, pending, empty, className, children }: QueryViewProps<Data>) {
  const { data, error: failure } = query;
  const retry = () => void query.refetch();
  if (data !== undefined) {
    return (
      <>
        {failure && <StaleNote className={className} onRetry={retry} />}
        {isEmpty(data) && empty !== undefined ? empty : children(data)}
      </>
    );
  }
  if (!failure) return pending;
  return (
    <div className={className}>
      <ErrorPanel error={failure} fallback={error} onRetry={retry} />
    </div>
  );
}

function isEmpty(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0;
}

function StaleNote({ className = 'mb-4', onRetry }: { className: string | undefined; onRetry: () => void }) {
  return (
    <div className={className}>
      <Alert
        tone="info"
        text={errors.stale}
        action={
          <Button variant="outline" size="small" className="mt-3" onClick={onRetry}>
            {app.tryAgain}
          </Button>
        }
      />
    </div>
  );
}
