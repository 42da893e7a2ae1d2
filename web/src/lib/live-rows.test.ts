import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { longListOptions, lookForNewRows, readRowsAgain } from './live-rows';
import type { LongRead } from './read-all';

interface Row {
  id: number;
}

const MOST = 2;
const key = ['cars'];

/** Answers with the newest rows first, two at most, and keeps count of its parts. */
function newestFirst(stored: Row[]) {
  const state = { stored, parts: 0 };
  const request = (place: number | null): ReturnType<LongRead<Row>['ask']> => ({
    or: (filter) => request(Number(/"(.*)"/.exec(filter)?.[1])),
    order: () => request(place ?? -1),
    then: (resolve, reject) => {
      state.parts += 1;
      const rows = state.stored.toSorted((one, other) => one.id - other.id);
      const part = place === null ? rows.toReversed() : rows.filter(({ id }) => id > place);
      const answer = { data: part.slice(0, MOST), count: rows.length, error: null };
      return Promise.resolve(answer).then(resolve, reject);
    },
  });
  const options = longListOptions(key, (): LongRead<Row> => ({
    ask: () => request(null),
    id: 'id',
    fallback: '',
  }));
  return { state, options };
}

const rowsOf = (...ids: number[]) => ids.map((id) => ({ id }));

describe('a long list on screen', () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let stop: () => void = () => undefined;

  /** Shows the list and counts from then on. */
  async function shown(stored: Row[]) {
    const { state, options } = newestFirst(stored);
    stop = new QueryObserver(client, options).subscribe(() => undefined);
    await vi.waitFor(() => expect(client.getQueryData<Row[]>(key)).toHaveLength(stored.length), 15_000);
    state.parts = 0;
    return state;
  }
  const ids = () => (client.getQueryData<Row[]>(key) ?? []).map(({ id }) => id).toSorted();

  beforeEach(() => client.clear());
  afterEach(() => stop());

  it('gets a row that was added by one request', async () => {
    const state = await shown(rowsOf(1, 2, 3, 4, 5));
    state.stored = rowsOf(1, 2, 3, 4, 5, 6);
    await lookForNewRows(client, key);
    expect(ids()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(state.parts).toBe(1);
  });

  it('is read in full where anything else changed, even while new rows are looked for', async () => {
    const state = await shown(rowsOf(1, 2, 3, 4, 5));
    state.stored = rowsOf(1, 2, 4, 5, 6);
    await Promise.all([lookForNewRows(client, key), readRowsAgain(client, key)]);
    expect(ids()).toEqual([1, 2, 4, 5, 6]);
  });

  it('is read in full where it was read before anybody listened', async () => {
    const state = await shown(rowsOf(1, 2, 3, 4, 5));
    state.stored = rowsOf(2, 3, 4, 5, 6);
    await lookForNewRows(client, key, Date.now() + 1);
    expect(ids()).toEqual([2, 3, 4, 5, 6]);
  });

  it('is read in full at the next plain reading', async () => {
    const state = await shown(rowsOf(1, 2, 3, 4, 5));
    await lookForNewRows(client, key);
    state.stored = rowsOf(2, 3, 4, 5, 6);
    await client.invalidateQueries({ queryKey: key });
    expect(ids()).toEqual([2, 3, 4, 5, 6]);
  });
});
