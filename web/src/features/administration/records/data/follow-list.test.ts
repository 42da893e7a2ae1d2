import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsOf, type Pages } from '@/lib/lists/pages';
import { z } from '@/lib/zod';
import { listChanges, listPage, type Told } from './answers';
import { followList } from './follow-list';
import { administrationKeys, type Entry, type ListAsk } from './record-list';

const rpc = vi.hoisted(() => vi.fn());
vi.mock('@/lib/supabase', () => ({ supabase: { rpc } }));

const row = z.object({ user_id: z.string(), spent: z.number() });
type Row = z.infer<typeof row>;
const source = {
  name: 'importers' as const,
  idOf: ({ user_id: id }: Row) => id,
  listed: listPage(row),
  whole: listPage(row),
  changes: listChanges(row),
};
const ASK: ListAsk = { search: '', status: 'all', order: { column: 'spent', descending: true } };
const KEY = administrationKeys.list('importers', ASK);
let client: QueryClient;

const importer = (id: string, spent = 1): Entry<Row> => ({ id, row: { user_id: id, spent } });
const list = () => client.getQueryData<Pages<Entry<Row>>>(KEY);
const shown = () =>
  rowsOf(list() ?? { pages: [], pageParams: [] }).map(({ id, row }) => `${id} ${row.spent}`);
const waiting = () => list()?.pages[0]?.arrived.map(({ id }) => id);

function know(...pages: string[][]): void {
  client.setQueryData<Pages<Entry<Row>>>(KEY, {
    pages: pages.map((ids, at) => ({
      rows: ids.map((id) => importer(id)),
      next: at === pages.length - 1 ? 'behind' : 'more',
      arrived: [],
      rightAt: 1_000,
    })),
    pageParams: pages.map(() => null),
  });
}

function answer(changes: Partial<{ rows: Row[]; gone: string[]; is_more: boolean }>): void {
  const data = { rows: [], gone: [], is_more: false, total: 9, counts: { all: 9 }, ...changes };
  rpc.mockResolvedValueOnce({ data, error: null });
}

const change = (ids: string[] | null, heardSince = 0) =>
  followList(client, source, ASK, { ids: ids && new Set(ids), heardSince });
const called = () => (rpc.mock.calls as [string][]).map(([name]) => name);

beforeEach(() => {
  client = new QueryClient();
  rpc.mockReset();
  know(['a', 'b'], ['c']);
});

describe('a list of the back office that is told of a change', () => {
  it('asks for what it missed as far as it was read, in its order', async () => {
    answer({});
    await change(['b', 'elsewhere']);
    const [, asked] = rpc.mock.calls[0] as [string, Record<string, unknown>];
    expect(asked).toMatchObject({
      p_list: 'importers',
      p: { status: 'all', until: 'behind', order: 'spent', descending: true },
      p_shown: ['b'],
    });
  });

  it('shows a row as it is now where it stands, and the counts', async () => {
    answer({ rows: [{ user_id: 'b', spent: 7 }] });
    await change(['b']);
    expect(shown()).toEqual(['a 1', 'b 7', 'c 1']);
    expect(client.getQueryData<Told>(administrationKeys.told('importers', ASK))?.counts).toEqual({ all: 9 });
    expect(called()).toEqual(['admin_changes']);
  });

  it('lets go of a row that fits no longer, and has a new one wait', async () => {
    answer({ rows: [{ user_id: 'new', spent: 7 }], gone: ['a'] });
    await change(null);
    expect(shown()).toEqual(['b 1', 'c 1']);
    expect(waiting()).toEqual(['new']);
    expect(called()).toEqual(['admin_changes']);
  });

  it('reads its only page where the reader is at the top, for the server knows the place of a new row', async () => {
    know(['a']);
    answer({ rows: [{ user_id: 'new', spent: 7 }] });
    await change(['new']);
    expect(client.getQueryState(KEY)?.isInvalidated).toBe(true);
  });

  it('asks nothing where it was read after the line stood', async () => {
    expect(await change([], 900)).toBe(true);
    expect(rpc).not.toHaveBeenCalled();
  });

  it('stays as it is where that could not be read, and says so', async () => {
    rpc.mockRejectedValueOnce(new Error('no line'));
    expect(await change(['a'])).toBe(false);
    expect(shown()).toEqual(['a 1', 'b 1', 'c 1']);
    expect(list()?.pages[0]?.rightAt).toBe(1_000);
  });

  it('is read again where more changed than is told', async () => {
    answer({ is_more: true });
    await change(null);
    expect(client.getQueryState(KEY)?.isInvalidated).toBe(true);
  });
});
