/**
 * Every row of a read, although the server answers with a part of them at most (`db-max-rows`). The first request is the
 * plain one. The parts after it begin behind the last row that was read, not behind a number of rows, so that rows which
 * come or go meanwhile shift nothing; rows of the same instant are told apart by their id.
 */
import { unwrap } from './errors';

interface CountedAnswer<Row> {
  data: Row[] | null;
  count: number | null;
  error: unknown;
  status?: number;
}

/** A request of supabase-js, as far as it is needed here. */
interface Read<Row> extends PromiseLike<CountedAnswer<Row>> {
  or: (filters: string) => Read<Row>;
  order: (column: string, options: { ascending: boolean }) => Read<Row>;
}

export interface PartOptions {
  /** The first part says how many rows there are. */
  count?: 'exact';
}

export interface LongRead<Row> {
  /** The request for the first part, each time a new one; it selects with `options`. */
  ask: (options: PartOptions) => Read<Row>;
  /** The column the request sorts by, where it does. */
  by?: keyof Row & string;
  /** Whether it sorts the lowest first. */
  ascending?: boolean;
  /** The column that no two rows share. */
  id: keyof Row & string;
  /** The text of a failure without one. */
  fallback: string;
}

/** `known` are rows of an earlier read, in its order, that nothing has touched since: they are not read again. */
export async function readAll<Row>(read: LongRead<Row>, known: readonly Row[] = []): Promise<Row[]> {
  const first = await read.ask({ count: 'exact' });
  const part = unwrap(first, read.fallback);
  const total = first.count ?? part.length;
  const rows = new Map(part.map((row) => [row[read.id] as unknown, row]));
  for (const row of known) if (!rows.has(row[read.id])) rows.set(row[read.id], row);
  await readOn(read, rows, total);
  const isTrue = known.length === 0 || rows.size === total;
  return isTrue ? [...rows.values()] : readAll(read);
}

async function readOn<Row>(read: LongRead<Row>, rows: Map<unknown, Row>, total: number): Promise<void> {
  let isSettled = false;
  let last = [...rows.values()].at(-1);
  while (rows.size < total) {
    const part = unwrap(await partAfter(read, last, isSettled), read.fallback);
    last = part.at(-1);
    if (last === undefined) return;
    for (const row of part) rows.set(row[read.id], row);
    isSettled = true;
  }
}

/** `isSettled` says that `last` is of a part that was sorted by the id too. */
function partAfter<Row>(read: LongRead<Row>, last: Row | undefined, isSettled: boolean): Read<Row> {
  const { by, id, ascending = false } = read;
  const filter =
    last && (isSettled ? behind(read, last) : by && `${by}.${ascending ? 'gte' : 'lte'}.${quoted(last[by])}`);
  const request = filter ? read.ask({}).or(filter) : read.ask({});
  return request.order(id, { ascending: true });
}

function behind<Row>({ by, id, ascending = false }: LongRead<Row>, last: Row): string {
  const sameButLater = `${id}.gt.${quoted(last[id])}`;
  if (!by) return sameButLater;
  const value = quoted(last[by]);
  return `${by}.${ascending ? 'gt' : 'lt'}.${value},and(${by}.eq.${value},${sameButLater})`;
}

function quoted(value: unknown): string {
  return `"${String(value)}"`;
}
