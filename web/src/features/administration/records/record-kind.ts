/** What the back office lists: each kind of row says once where it comes from, what may be asked of it and what a file holds. */
import type { CsvColumn } from '@/lib/csv';
import type { z } from '@/lib/zod';
import { listPage } from './data/answers';
import type { ListSource } from './data/record-list';
import { listSearch, type ListSearch } from './list-state';
import type { Follows } from './use-office-changes';

export interface RecordKind<Row> extends ListSource<Row> {
  follows: Follows;
  idOf: (row: Row) => string;
  /** What the list keeps in its address. Links to a filtered list are made of it. */
  search: ListSearch;
  csv: readonly CsvColumn<Row>[];
}

interface Description<Schema extends z.ZodMiniType> {
  name: ListSource<unknown>['name'];
  row: Schema;
  idOf: (row: z.infer<Schema>) => string;
  /** The tables it is made of; what the team decides is followed anyway. */
  follows: Follows;
  /** Tab value → label; the first is everything, `'all'`. */
  tabs: Record<string, string>;
  /** What the server can order by. */
  orders: readonly string[];
  csv: readonly CsvColumn<z.infer<Schema>>[];
}

export function recordKind<Schema extends z.ZodMiniType>(
  description: Description<Schema>,
): RecordKind<z.infer<Schema>> {
  const { name, row, idOf, tabs, orders, csv } = description;
  const follows = { admin_audit_log: () => undefined, ...description.follows };
  return { name, page: listPage(row), idOf, follows, search: listSearch(Object.keys(tabs), orders), csv };
}
