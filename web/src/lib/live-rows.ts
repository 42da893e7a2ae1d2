/**
 * Reading again after a change. Where rows were added and nothing else, the rows that were known stay right: a long list
 * then asks for its first part alone instead of for all of them.
 */
import { queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { readAll, type LongRead } from './read-all';

/** Rows in the cache that are right although their query is read again. Each entry is good for one read. */
const right = new WeakSet<object>();

/** `since` is when the changes were first listened to: what was read before it may have missed one. */
export function lookForNewRows(client: QueryClient, queryKey: QueryKey, since = 0): Promise<void> {
  for (const { state } of client.getQueryCache().findAll({ queryKey, type: 'active' })) {
    if (!state.isInvalidated && state.dataUpdatedAt >= since && Array.isArray(state.data))
      right.add(state.data);
  }
  return client.invalidateQueries({ queryKey });
}

export function readRowsAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  for (const { state } of client.getQueryCache().findAll({ queryKey })) {
    if (Array.isArray(state.data)) right.delete(state.data);
  }
  return client.invalidateQueries({ queryKey });
}

/** A list that may be longer than one answer of the server. */
export function longListOptions<Row, Key extends QueryKey>(
  queryKey: Key,
  readOf: (signal: AbortSignal) => LongRead<Row>,
) {
  return queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => readAll(readOf(signal), takeRight(client.getQueryData<Row[]>(queryKey))),
  });
}

function takeRight<Row>(rows: Row[] | undefined): Row[] | undefined {
  return rows && right.delete(rows) ? rows : undefined;
}
