import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ListPage } from './data/list-page';
import { listQueryOptions, type ListAsk, type ListName, type RowOf } from './data/lists';

export type ListQuery<Row> = UseInfiniteQueryResult<InfiniteData<ListPage<Row>>>;

export interface Rows<Row> {
  rows: Row[];
  total: number;
  counts: Record<string, number> | undefined;
}

export function useList<Name extends ListName>(name: Name, ask: ListAsk): ListQuery<RowOf<Name>> {
  return useInfiniteQuery(listQueryOptions(name, ask));
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
