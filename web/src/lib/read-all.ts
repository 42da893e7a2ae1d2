/**
 * Every row of a read, although the server answers with a part of them at most (`db-max-rows`). The first request is the
 * plain one; only where it fell short do others follow.
 */
import { unwrap } from './errors';

interface CountedAnswer<Row> {
  data: Row[] | null;
  count: number | null;
  error: unknown;
  status?: number;
}

/** A request of supabase-js that asked for `count: 'exact'`. */
interface CountedRead<Row> extends PromiseLike<CountedAnswer<Row>> {
  range: (from: number, to: number) => PromiseLike<CountedAnswer<Row>>;
}

export async function readAll<Row>(ask: () => CountedRead<Row>, fallback: string): Promise<Row[]> {
  const first = await ask();
  const rows = [...unwrap(first, fallback)];
  const part = rows.length;
  const total = first.count ?? part;
  while (part > 0 && rows.length < total) {
    const next = unwrap(await ask().range(rows.length, rows.length + part - 1), fallback);
    if (next.length === 0) break;
    rows.push(...next);
  }
  return rows;
}
