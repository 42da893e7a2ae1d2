/** What a list is asked and which row is open, kept in the address: a reload, Back and a link find the same rows. */
import { opened, oneOf, typed, type SearchParam } from '@/lib/search-params';
import type { ListAsk, Order } from './data/record-list';

/** `'rating'` or `'-rating'`; of columns the list has. */
function orderBy(columns: readonly string[]): SearchParam<Order | null> {
  return {
    read: (text) => {
      const column = text?.replace(/^-/, '') ?? '';
      return columns.includes(column) ? { column, descending: text?.startsWith('-') ?? false } : null;
    },
    write: (order) => order && `${order.descending ? '-' : ''}${order.column}`,
    step: 'replace',
  };
}

/** `tabs` begins with the tab of everything, `'all'`. */
export function listSearch(tabs: readonly string[], columns: readonly string[]) {
  return {
    search: typed(),
    status: oneOf<string>(tabs, 'all'),
    sort: orderBy(columns),
    open: opened(),
  };
}

export type ListSearch = ReturnType<typeof listSearch>;

export interface ListState {
  search: string;
  status: string;
  sort: Order | null;
  open: string | null;
}

export function askOf({ status, sort }: ListState, search: string): ListAsk {
  return { search, status, order: sort };
}

/** Ascending, descending, then as the list orders itself. */
export function nextOrder(order: Order | null, column: string): Order | null {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? null : { column, descending: true };
}
