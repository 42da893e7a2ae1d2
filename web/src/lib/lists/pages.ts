/**
 * Long lists, a page at a time. A page begins behind the last row of the one before, not behind a number of rows, so
 * that rows which come or go shift nothing. Each read asks for one row more than it shows: whether there are more is
 * known, not guessed.
 */
import { infiniteQueryOptions, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { unwrap } from '@/lib/errors';

export interface Row {
  id: string;
}

export interface Page<Item extends Row> {
  rows: readonly Item[];
  /** Where the next page begins; null behind the last row. */
  next: string | null;
  /** Of the first page: rows that came while somebody was reading, newest first, not shown yet. */
  arrived: readonly Item[];
  /** Until when nothing was missed, by this machine's clock: of the first page it holds for the whole list. */
  rightAt: number;
}

export type Pages<Item extends Row> = InfiniteData<Page<Item>, string | null>;

interface Answer<Item> {
  data: readonly Item[] | null;
  /** How many there are in all, where that was asked: then the request may ask for no row more. */
  count?: number | null;
  error: unknown;
  status?: number;
}

interface List {
  queryKey: QueryKey;
  /** How many rows a page shows. */
  size: number;
  /** The text of a failure without one. */
  fallback: string;
}

interface FunctionList<Item> extends List {
  /** Calls the function; `cursor` is null for the first page. */
  ask: (cursor: string | null, limit: number, signal: AbortSignal) => PromiseLike<Answer<Item>>;
}

/** The rows of a function that says with each row where the next page would begin. */
export function functionPages<Item extends Row & { cursor: string }>({
  queryKey,
  size,
  fallback,
  ask,
}: FunctionList<Item>) {
  return pagesOptions<Item>(queryKey, async (cursor, signal) => {
    const answer = await ask(cursor, size + 1, signal);
    const rows = unwrap(answer, fallback);
    return pageOf(rows, size, (last) => last.cursor, answer.count ?? rows.length);
  });
}

interface AnsweredList<Item extends Row> {
  queryKey: QueryKey;
  ask: (cursor: string | null, signal: AbortSignal) => Promise<Pick<Page<Item>, 'rows' | 'next'>>;
}

/** The rows of a function whose answer says itself where the next page begins. */
export function answeredPages<Item extends Row>({ queryKey, ask }: AnsweredList<Item>) {
  return pagesOptions<Item>(queryKey, async (cursor, signal) => ({
    ...(await ask(cursor, signal)),
    arrived: [],
  }));
}

/** A request of supabase-js for rows of a table, as far as it is needed here. */
interface TableRead<Item> extends PromiseLike<Answer<Item>> {
  or: (filters: string) => TableRead<Item>;
  filter: (column: string, operator: 'gte' | 'lte', value: string) => TableRead<Item>;
  order: (column: string, options: { ascending: boolean }) => TableRead<Item>;
  limit: (count: number) => TableRead<Item>;
}

interface TableList<Item> extends List {
  /** The request: what is selected and for whom. Order and limit are added here. */
  ask: (signal: AbortSignal) => TableRead<Item>;
  /** The column the list is sorted by; it is never empty. */
  by: keyof Item & string;
  /** Whether the lowest comes first. */
  ascending?: boolean;
  /** Told with the first page how many rows there are, where `ask` has them counted. */
  noteCount?: (count: number) => void;
}

/** The rows of a table by one of its columns; rows of the same instant are told apart by their id. */
export function tablePages<Item extends Row>(list: TableList<Item>) {
  const { queryKey, size, fallback, ask, by, ascending = false, noteCount } = list;
  return pagesOptions<Item>(queryKey, async (cursor, signal) => {
    const from = cursor === null ? ask(signal) : behind(ask(signal), cursor, by, ascending);
    const read = from
      .order(by, { ascending })
      .order('id', { ascending })
      .limit(size + 1);
    const answer = await read;
    const rows = unwrap(answer, fallback);
    if (cursor === null && typeof answer.count === 'number') noteCount?.(answer.count);
    return pageOf(rows, size, (last) => JSON.stringify([String(last[by]), last.id]));
  });
}

/** The bare limit lets an index begin at the place; the other filter tells rows of the same value apart. */
function behind<Item>(read: TableRead<Item>, cursor: string, by: string, ascending: boolean) {
  const [value, id] = JSON.parse(cursor) as [string, string];
  const further = ascending ? 'gt' : 'lt';
  const at = `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
  return read
    .filter(by, ascending ? 'gte' : 'lte', value)
    .or(`${by}.${further}.${at},and(${by}.eq.${at},id.${further}.${id})`);
}

function pageOf<Item extends Row>(
  rows: readonly Item[],
  size: number,
  placeOf: (last: Item) => string,
  total = rows.length,
): Omit<Page<Item>, 'rightAt'> {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { rows: shown, next: last && total > shown.length ? placeOf(last) : null, arrived: [] };
}

function pagesOptions<Item extends Row>(
  queryKey: QueryKey,
  read: (cursor: string | null, signal: AbortSignal) => Promise<Omit<Page<Item>, 'rightAt'>>,
) {
  return infiniteQueryOptions<Page<Item>, Error, Pages<Item>, QueryKey, string | null>({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const rightAt = Date.now();
      return { ...(await read(pageParam, signal)), rightAt };
    },
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
  });
}

export type PagesOptions<Item extends Row> = ReturnType<typeof pagesOptions<Item>>;

/** What is shown of the pages. A row that changed its place between two reads stands where it was seen first. */
export function rowsOf<Item extends Row>({ pages }: Pages<Item>): Item[] {
  const rows = new Map<string, Item>();
  for (const row of pages.flatMap((page) => page.rows)) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}
