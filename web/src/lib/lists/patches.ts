/**
 * What a change does to lists that are shown: a changed row is changed where it stands, a deleted one leaves, a new one
 * waits until it is asked for. Nothing is read for it, and nothing that is being read moves.
 */
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Page, Pages, Row } from './pages';

/**
 * `change` answers the row as it is now; it is asked in every list below `queryKey` that holds the row. The answer is
 * the row as it was, undefined where no list has it.
 */
export function patchRow<Item extends Row>(
  client: QueryClient,
  queryKey: QueryKey,
  id: string,
  change: (row: Item) => Item,
): Item | undefined {
  let before: Item | undefined;
  patchRows<Item>(client, queryKey, (row) => {
    if (row.id !== id) return row;
    before ??= row;
    return change(row);
  });
  return before;
}

/** Asks for every row below `queryKey`; one that is answered as it was stays untouched. */
export function patchRows<Item extends Row>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (row: Item) => Item,
): void {
  setRows<Item>(client, queryKey, (rows) => {
    const changed = rows.map(change);
    return changed.every((row, place) => row === rows[place]) ? rows : changed;
  });
}

export function dropRow(client: QueryClient, queryKey: QueryKey, id: string): void {
  setRows(client, queryKey, (rows) => (holds(rows, id) ? rows.filter((row) => row.id !== id) : rows));
}

/** New rows of a list, newest first; one that the list has already is changed instead. */
export function noteArrival(client: QueryClient, queryKey: QueryKey, rows: readonly Row[]): void {
  setList(client, queryKey, (list) => {
    const known = new Set(list.pages.flatMap((page) => [...page.rows, ...page.arrived]).map(({ id }) => id));
    const added = rows.filter(({ id }) => !known.has(id));
    return added.length === 0
      ? list
      : withFirst(list, (first) => ({ ...first, arrived: [...added, ...first.arrived] }));
  });
}

/**
 * Puts a row that the list did not have among those that were read, in front of the first one it comes before; one that
 * comes behind all of them waits for its page.
 */
export function placeRow<Item extends Row>(
  client: QueryClient,
  queryKey: QueryKey,
  row: Item,
  comesBefore: (other: Item) => boolean,
): void {
  setList<Item>(client, queryKey, (list) => {
    if (list.pages.some(({ rows }) => holds(rows, row.id))) return list;
    const place = list.pages.findIndex(({ rows, next }) => next === null || rows.some(comesBefore));
    const pages = list.pages.map((page, index) =>
      index === place ? { ...page, rows: withRow(page.rows, row, comesBefore) } : page,
    );
    return place < 0 ? list : { ...list, pages };
  });
}

function withRow<Item>(rows: readonly Item[], row: Item, comesBefore: (other: Item) => boolean): Item[] {
  const place = rows.findIndex(comesBefore);
  return rows.toSpliced(place < 0 ? rows.length : place, 0, row);
}

/** The list was made good until then, by this machine's clock. */
export function noteRight(client: QueryClient, queryKey: QueryKey, rightAt: number): void {
  setList(client, queryKey, (list) => withFirst(list, (first) => ({ ...first, rightAt })));
}

/** Puts what has arrived at the top. */
export function showArrivals(client: QueryClient, queryKey: QueryKey): void {
  setList(client, queryKey, (list) =>
    withFirst(list, (first) =>
      first.arrived.length === 0 ? first : { ...first, rows: [...first.arrived, ...first.rows], arrived: [] },
    ),
  );
}

function holds(rows: readonly Row[], id: string): boolean {
  return rows.some((row) => row.id === id);
}

function withFirst<Item extends Row>(
  list: Pages<Item>,
  change: (page: Page<Item>) => Page<Item>,
): Pages<Item> {
  const [first, ...others] = list.pages;
  return first ? { ...list, pages: [change(first), ...others] } : list;
}

function setRows<Item extends Row>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (rows: readonly Item[]) => readonly Item[],
): void {
  setList<Item>(client, queryKey, (list) => {
    const pages = list.pages.map((page) => withRows(page, change(page.rows), change(page.arrived)));
    return pages.every((page, place) => page === list.pages[place]) ? list : { ...list, pages };
  });
}

function withRows<Item extends Row>(
  page: Page<Item>,
  rows: readonly Item[],
  arrived: readonly Item[],
): Page<Item> {
  return rows === page.rows && arrived === page.arrived ? page : { ...page, rows, arrived };
}

type Change<Item extends Row> = (list: Pages<Item>) => Pages<Item>;

/** What is being read takes the place of the rows it began with, so it is changed once it is here, too. */
function setList<Item extends Row>(client: QueryClient, queryKey: QueryKey, change: Change<Item>): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    setQuery(client, query, change);
    if (query.state.fetchStatus === 'fetching')
      void untilRead(query).then(() => setQuery(client, query, change));
  }
}

async function untilRead(query: Query): Promise<void> {
  while (query.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined);
}

/** A patch does not make the list read later than it was. */
function setQuery<Item extends Row>(client: QueryClient, query: Query, change: Change<Item>): void {
  const list: unknown = query.state.data;
  if (!isPages<Item>(list)) return;
  const next = change(list);
  if (next !== list) client.setQueryData(query.queryKey, next, { updatedAt: query.state.dataUpdatedAt });
}

/** Below a stem there may be counts and single rows too. */
function isPages<Item extends Row>(data: unknown): data is Pages<Item> {
  return typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;
}
