import type { RealtimeChannel, RealtimePostgresChangesPayload } from '@supabase/supabase-js';
import { afterEach, describe, expect, it } from 'vitest';
import { person, type Person } from './support/people';

const FAILED = new Set<string>(['CHANNEL_ERROR', 'TIMED_OUT']);
type Change = RealtimePostgresChangesPayload<{ id: number; note: string }>;
const open: Person[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ client }) => client.removeAllChannels()));
});

async function listener(): Promise<Person> {
  const somebody = await person();
  const { data } = await somebody.client.auth.getSession();
  await somebody.client.realtime.setAuth(data.session?.access_token ?? null);
  open.push(somebody);
  return somebody;
}

/** Resolves when the server says that changes flow, not already when the channel is joined. */
function flowing(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.on('system', {}, (message: { status: string; message: string }) => {
      if (message.status === 'ok' && message.message === 'Subscribed to PostgreSQL') resolve();
      else reject(new Error(message.message));
    });
    channel.subscribe((status, error) => {
      if (FAILED.has(status)) reject(error ?? new Error(status));
    });
  });
}

async function watchOrders(somebody: Person, filter?: string) {
  const seen: Change[] = [];
  const waiting: ((change: Change) => void)[] = [];
  const channel = somebody.client.channel(`orders-${somebody.user.id}-${filter ?? 'all'}`);
  channel.on(
    'postgres_changes',
    { event: '*', schema: 'public', table: 'orders', ...(filter && { filter }) },
    (change) => {
      const next = waiting.shift();
      if (next) next(change as Change);
      else seen.push(change as Change);
    },
  );
  await flowing(channel);
  const next = (): Promise<Change> => {
    const change = seen.shift();
    return change ? Promise.resolve(change) : new Promise((resolve) => waiting.push(resolve));
  };
  return { channel, next, seen };
}

describe('realtime.subscriptions.postgres_changes', () => {
  it('delivers insert, update and delete in order', async () => {
    const aiko = await listener();
    const { next } = await watchOrders(aiko);
    const orders = aiko.client.from('orders');
    const { data } = await orders.insert({ note: 'first' }).select('id').single();
    const id = data?.id as number;
    // One after the other: a policy is asked about the row as it is when the change is looked at.
    expect(await next()).toMatchObject({
      eventType: 'INSERT',
      table: 'orders',
      new: { id, note: 'first' },
      errors: null,
    });
    await orders.update({ note: 'second' }).eq('id', id);
    expect(await next()).toMatchObject({ eventType: 'UPDATE', new: { id, note: 'second' }, old: { id } });
    await orders.delete().eq('id', id);
    expect(await next()).toMatchObject({ eventType: 'DELETE', old: { id }, new: {} });
  });

  it('keeps the rows of others from everybody', async () => {
    const [aiko, stranger] = await Promise.all([listener(), listener()]);
    const own = await watchOrders(aiko);
    const other = await watchOrders(stranger);
    await aiko.client.from('orders').insert({ note: 'secret' });
    await stranger.client.from('orders').insert({ note: 'mine' });
    expect((await own.next()).new).toMatchObject({ note: 'secret' });
    expect((await other.next()).new).toMatchObject({ note: 'mine' });
  });
});

describe('realtime.subscriptions.postgres_changes_filter', () => {
  it('delivers only the rows that pass', async () => {
    const aiko = await listener();
    const { next } = await watchOrders(aiko, 'note=eq.wanted');
    await aiko.client.from('orders').insert([{ note: 'other' }, { note: 'wanted' }]);
    expect((await next()).new).toMatchObject({ note: 'wanted' });
  });
});

describe('realtime.channel.unsubscribe', () => {
  it('leaves the channel', async () => {
    const aiko = await listener();
    const { channel } = await watchOrders(aiko);
    expect(await aiko.client.removeChannel(channel)).toBe('ok');
    expect(aiko.client.getChannels()).toEqual([]);
  });
});
