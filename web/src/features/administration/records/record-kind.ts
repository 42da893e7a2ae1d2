/** What the back office lists: each kind of row says once where it comes from, what may be asked of it and what a file holds. */
import type { CsvColumn } from '@/lib/csv';
import type { z } from '@/lib/zod';
import { listChanges, listPage } from './data/answers';
import type { ListSource } from './data/record-list';
import { listSearch, type ListSearch } from './list-state';
import type { Follows } from './use-office-changes';

export interface RecordKind<Row extends Listed, Listed> extends ListSource<Row, Listed> {
  follows: Follows;
  /** What the list keeps in its address. Links to a filtered list are made of it. */
  search: ListSearch;
  csv: readonly CsvColumn<Row>[];
}

interface Description<Row extends Listed, Listed> {
  name: ListSource<unknown, unknown>['name'];
  /** A row whole: where it is opened, and in a file. */
  row: z.ZodMiniType<Row>;
  /** As much of it as the list shows. */
  listed: z.ZodMiniType<Listed>;
  idOf: (row: Listed) => string;
  /** The tables it is made of; what the team decides is followed anyway. */
  follows: Follows;
  /** Tab value → label; the first is everything, `'all'`. */
  tabs: Record<string, string>;
  /** What the server can order by. */
  orders: readonly string[];
  csv: readonly CsvColumn<Row>[];
}

export function recordKind<Row extends Listed, Listed>(
  description: Description<Row, Listed>,
): RecordKind<Row, Listed> {
  const { name, row, listed, idOf, tabs, orders, csv } = description;
  return {
    name,
    whole: listPage(row),
    listed: listPage(listed),
    changes: listChanges(listed),
    idOf,
    follows: { admin_audit_log: () => undefined, ...description.follows },
    search: listSearch(Object.keys(tabs), orders),
    csv,
  };
}
