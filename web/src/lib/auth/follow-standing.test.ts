import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { followStanding } from './follow-standing';
import { standingKeys } from './standing';

const rpc = vi.hoisted(() => vi.fn());
vi.mock('@/lib/supabase', () => ({ supabase: { rpc } }));

let client: QueryClient;
const gap = () => followStanding(client, { changed: [], isGap: true, heardSince: Date.now() });
const change = (user_id: string, is_suspended: boolean) =>
  followStanding(client, {
    changed: [{ kind: 'UPDATE', row: { user_id, is_suspended } }],
    isGap: false,
    heardSince: 0,
  });
const markOf = (id: string) => client.getQueryData(standingKeys.member(id));

beforeEach(() => {
  client = new QueryClient();
  rpc.mockReset();
});

describe('the standing of others', () => {
  it('is marked from the change itself, where somebody asked', async () => {
    client.setQueryData(standingKeys.member('kenji'), false);
    expect(await change('kenji', true)).toEqual(['kenji']);
    expect(await change('stranger', true)).toEqual(['stranger']);
    expect(markOf('kenji')).toBe(true);
    expect(markOf('stranger')).toBeUndefined();
    expect(rpc).not.toHaveBeenCalled();
  });

  it('costs nothing when the line stands for the first time', async () => {
    expect(await gap()).toEqual([]);
    expect(rpc).not.toHaveBeenCalled();
  });

  it('is asked for after a gap, of those who changed meanwhile', async () => {
    client.setQueryData(standingKeys.member('kenji'), true);
    await gap();
    rpc.mockResolvedValueOnce({ data: [{ user_id: 'kenji', is_suspended: false }], error: null });
    expect(await gap()).toEqual(['kenji']);
    expect(markOf('kenji')).toBe(false);
    expect(rpc).toHaveBeenCalledTimes(1);
  });

  it('that could not be asked for is asked for at the next change, from the same moment on', async () => {
    vi.useFakeTimers();
    await gap();
    vi.advanceTimersByTime(60_000);
    rpc.mockResolvedValueOnce({ data: null, error: new Error('no line'), status: 500 });
    expect(await gap()).toEqual([]);
    vi.advanceTimersByTime(60_000);
    rpc.mockResolvedValueOnce({ data: [], error: null });
    await change('stranger', true);
    vi.useRealTimers();
    expect(rpc).toHaveBeenLastCalledWith('standing_changes', { p_seconds: 120 });
  });
});
