import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import type { ListPage } from './answers';
import { readShown } from './read-shown';

const KEY = ['administration', 'list', 'admin_agents'];

const pageOf = (rows: string[], next: string | null): ListPage<string> => ({ total: 60, rows, next });

function clientWith(...pages: ListPage<string>[]): QueryClient {
  const client = new QueryClient();
  client.setQueryData(KEY, { pages, pageParams: pages.map(() => null) });
  return client;
}

describe('a list that is read again', () => {
  it('asks once for all rows that are shown', async () => {
    const client = clientWith(pageOf(['a', 'b'], 'b'), pageOf(['c'], 'c'));
    const now = pageOf(['new', 'a', 'c'], 'c');
    const read = vi.fn(() => Promise.resolve(now));
    await readShown(client, KEY, read);
    expect(read.mock.calls).toEqual([[3]]);
    expect(client.getQueryData(KEY)).toEqual({ pages: [now], pageParams: [null] });
    expect(client.getQueryState(KEY)?.isInvalidated).toBe(false);
  });

  it('keeps what was read meanwhile', async () => {
    const client = clientWith(pageOf(['a'], 'a'), pageOf(['b'], 'b'));
    const longer = { pages: [pageOf(['a', 'b'], 'b'), pageOf(['c'], null)], pageParams: [null, 'b'] };
    await readShown(client, KEY, () => {
      client.setQueryData(KEY, longer);
      return Promise.resolve(pageOf(['a', 'b'], 'b'));
    });
    expect(client.getQueryData(KEY)).toEqual(longer);
    expect(client.getQueryState(KEY)?.isInvalidated).toBe(true);
  });

  it('keeps its rows when that fails, and is read as it always is', async () => {
    const client = clientWith(pageOf(['a'], 'a'), pageOf(['b'], 'b'));
    await readShown(client, KEY, () => Promise.reject(new Error('no line')));
    expect(client.getQueryData<{ pages: unknown[] }>(KEY)?.pages).toHaveLength(2);
    expect(client.getQueryState(KEY)?.isInvalidated).toBe(true);
  });
});
