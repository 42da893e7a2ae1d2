import { useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ListPage } from './data/lists';

/** The row whose details are open. A row that a decision took out of the list is closed and does not come back by itself. */
export function useOpenedRow<Row>(query: UseQueryResult<ListPage<Row>>, idOf: (row: Row) => string) {
  const [opened, setOpened] = useState<string | null>(null);
  const row = query.data?.rows.find((candidate) => idOf(candidate) === opened);
  const isGone = opened !== null && query.isSuccess && !query.isPlaceholderData && !row;
  if (isGone) setOpened(null);
  return { row, open: (next: Row) => setOpened(idOf(next)), close: () => setOpened(null) };
}
