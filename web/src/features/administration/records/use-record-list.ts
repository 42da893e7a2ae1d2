import {
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDebounced } from '@/hooks/use-debounced';
import { csvOf } from '@/lib/csv';
import { useSearchState } from '@/lib/search-params';
import type { ListPage } from './data/answers';
import { readShown } from './data/read-shown';
import { listQueryOptions, readPage, readWholeList, rowQueryOptions } from './data/record-list';
import { askOf } from './list-state';
import type { RecordKind } from './record-kind';
import { useOfficeChanges } from './use-office-changes';

/** A list of the back office with what is searched, ordered and open in it. */
export function useRecordList<Row>(kind: RecordKind<Row>) {
  const { idOf, csv } = kind;
  const [state, change] = useSearchState(kind.search);
  // the controls follow at once, the server is asked when the typing pauses
  const ask = askOf(state, useDebounced(state.search));
  const client = useQueryClient();
  const options = listQueryOptions(kind, ask);
  const query = useInfiniteQuery(options);
  useOfficeChanges(kind.follows, () =>
    readShown(client, options.queryKey, (limit) => readPage(kind, ask, { limit })),
  );
  const list = useRows(query, idOf);
  return {
    listProps: {
      query,
      list,
      state,
      onChange: change,
      idOf,
      onOpen: (row: Row) => change({ open: idOf(row) }),
      readCsv: async () => csvOf(csv, await readWholeList(kind, ask)),
    },
    openedProps: {
      id: state.open,
      query: useOpenedRow(kind, state.open),
      listed: list?.rows.find((row) => idOf(row) === state.open),
      onClose: () => change({ open: null }),
    },
  };
}

/** The opened row, read by itself: a decision may take it out of the tab without closing what the person looks at. */
export function useOpenedRow<Row>(kind: RecordKind<Row>, id: string | null) {
  const client = useQueryClient();
  const options = rowQueryOptions(kind, id ?? '');
  useOfficeChanges(kind.follows, async (ids) => {
    if (ids === null || ids.has(id)) await client.invalidateQueries({ queryKey: options.queryKey });
  });
  return useQuery({ ...options, enabled: id !== null });
}

export type ListQuery<Row> = UseInfiniteQueryResult<InfiniteData<ListPage<Row>>>;

export interface Rows<Row> {
  rows: Row[];
  total: number;
  counts: Record<string, number> | undefined;
}

/** The pages as one list. A row that moved between two reads is shown once, where it stood first. */
export function useRows<Row>({ data }: ListQuery<Row>, idOf: (row: Row) => string): Rows<Row> | undefined {
  return useMemo(() => {
    const newest = data?.pages.at(-1);
    if (!data || !newest) return undefined;
    const rows = new Map<string, Row>();
    for (const row of data.pages.flatMap((page) => page.rows))
      if (!rows.has(idOf(row))) rows.set(idOf(row), row);
    return { rows: [...rows.values()], total: newest.total, counts: newest.counts };
  }, [data, idOf]);
}
