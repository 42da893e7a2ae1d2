import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsOf, type Pages } from '@/lib/lists/pages';
import type { RowChange } from '@/lib/realtime/channel-registry';
import type { OwnList } from '../own-lists';
import { followInvitations } from './follow-invitations';
import type { Invitation } from './invitation-answers';
import { invitationKeys } from './keys';

const rpc = vi.hoisted(() => vi.fn());
vi.mock('@/lib/supabase', () => ({ supabase: { rpc } }));

const ME = 'me';
const DAY = '2026-01-01T00:00:00Z';
let client: QueryClient;

const invitation = (id: string, of: Partial<Invitation> = {}) =>
  ({
    id,
    request_id: null,
    status: 'sent',
    created_at: DAY,
    updated_at: DAY,
    deal_state: null,
    ...of,
  }) as Invitation;

function know({ search, size }: OwnList, rows: Invitation[]): void {
  client.setQueryData<Pages<Invitation>>(invitationKeys.list(ME, search, size), {
    pages: [{ rows, next: null, arrived: [], rightAt: 0 }],
    pageParams: [null],
  });
}

const follow = (list: OwnList, change: RowChange) =>
  followInvitations(client, { userId: ME, ...list }, { changed: [change], isGap: false, heardSince: 0 });
const idsOf = ({ search, size }: OwnList) =>
  rowsOf(
    client.getQueryData<Pages<Invitation>>(invitationKeys.list(ME, search, size)) ?? {
      pages: [],
      pageParams: [],
    },
  ).map(({ id }) => id);
const askedAbout = () =>
  (rpc.mock.calls as [string, { p_shown: string[] }][]).map(([, { p_shown }]) => p_shown);

beforeEach(() => {
  client = new QueryClient();
  rpc.mockReset();
  rpc.mockResolvedValue({ data: { rows: [], gone: [], is_more: false, counts: {} }, error: null });
});

describe('a list of invitations that is told of a change', () => {
  const pending: OwnList = { search: { status: 'sent' }, size: 10 };
  const all: OwnList = { search: {}, size: 24 };

  it('loses what was answered where it shows what waits, and tells how many there are', async () => {
    know(pending, [invitation('a'), invitation('b')]);
    const counts = { total: 2, sent: 1, accepted: 1 };
    rpc.mockResolvedValue({ data: { rows: [], gone: ['a'], counts }, error: null });
    await follow(pending, {
      kind: 'UPDATE',
      table: 'invitations',
      row: { id: 'a', updated_at: '2026-01-02' },
    });
    expect(idsOf(pending)).toEqual(['b']);
    expect(client.getQueryData(invitationKeys.counts(ME))).toMatchObject(counts);
    expect(rpc.mock.calls[0]?.[1]).toMatchObject({ p_status: 'sent', p_shown: ['a'] });
  });

  it('asks about the invitation whose deal is disputed, and for no other dispute', async () => {
    know(all, [invitation('a', { deal_state: { id: 'deal' } }), invitation('b')]);
    await follow(all, { kind: 'INSERT', table: 'disputes', row: { id: 'd', deal_id: 'of others' } });
    expect(rpc).not.toHaveBeenCalled();
    await follow(all, { kind: 'INSERT', table: 'disputes', row: { id: 'd', deal_id: 'deal' } });
    expect(askedAbout()).toEqual([['a']]);
  });

  it('asks nothing for what it shows already', async () => {
    know(all, [invitation('a')]);
    const row = { id: 'a', updated_at: '2026-01-01T00:00:00+00:00' };
    await follow(all, { kind: 'UPDATE', table: 'invitations', row });
    expect(rpc).not.toHaveBeenCalled();
  });

  it('about one request asks nothing for invitations about others', async () => {
    const answers: OwnList = { search: { request: 'r' }, size: 20 };
    know(answers, [invitation('a', { request_id: 'r' })]);
    await follow(answers, { kind: 'INSERT', table: 'invitations', row: { id: 'x', request_id: 'other' } });
    expect(rpc).not.toHaveBeenCalled();
    await follow(answers, { kind: 'INSERT', table: 'invitations', row: { id: 'x', request_id: 'r' } });
    expect(rpc.mock.calls[0]?.[1]).toMatchObject({ p_request: 'r' });
  });
});
