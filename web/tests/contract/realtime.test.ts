import type { RealtimeChannel, RealtimePostgresChangesPayload } from '@supabase/supabase-js';
import { afterEach, describe, expect, it } from 'vitest';
import { person, type Person } from './support/people';

const JOINED = new Set<string>(['SUBSCRIBED']);
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

interface Spoken {
  event: string;
  payload: { text: string };
}

type Options = NonNullable<Parameters<Person['client']['channel']>[1]>;

/** A joined channel of `name` that keeps what it hears, and gives one word after the other. */
async function talker(somebody: Person, name: string, options: Options = { config: {} }) {
  const heard: string[] = [];
  const waiting: ((text: string) => void)[] = [];
  const channel = somebody.client.channel(name, options);
  channel.on('broadcast', { event: 'say' }, (message) => {
    const { text } = (message as unknown as Spoken).payload;
    const next = waiting.shift();
    if (next) next(text);
    else heard.push(text);
  });
  await joined(channel);
  const next = (): Promise<string> => {
    const text = heard.shift();
    return text === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(text);
  };
  const say = (text: string) => channel.send({ type: 'broadcast', event: 'say', payload: { text } });
  return { channel, heard, next, say };
}

function joined(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (JOINED.has(status)) resolve();
      else if (FAILED.has(status)) reject(error ?? new Error(status));
    });
  });
}

const topic = (): string => `room-${crypto.randomUUID()}`;

describe('realtime.subscriptions.broadcast', () => {
  it('reaches the other window in order and not the speaker', async () => {
    const [aiko, ben] = await Promise.all([listener(), listener()]);
    const name = topic();
    const own = await talker(aiko, name);
    const other = await talker(ben, name);
    expect(await own.say('hello')).toBe('ok');
    expect(await own.say('world')).toBe('ok');
    expect([await other.next(), await other.next()]).toEqual(['hello', 'world']);
    await other.say('answer');
    expect(await own.next()).toBe('answer');
    expect(own.heard).toEqual([]);
  });

  it('comes back to the speaker with self, and is answered with ack', async () => {
    const aiko = await listener();
    const own = await talker(aiko, topic(), { config: { broadcast: { self: true, ack: true } } });
    expect(await own.say('echo')).toBe('ok');
    expect(await own.next()).toBe('echo');
  });
});

describe('realtime.channel.broadcast_http', () => {
  it('reaches windows without a channel of its own', async () => {
    const [aiko, ben] = await Promise.all([listener(), listener()]);
    const name = topic();
    const other = await talker(ben, name);
    const sent = await aiko.client.channel(name).httpSend('say', { text: 'by post' });
    expect(sent).toEqual({ success: true });
    expect(await other.next()).toBe('by post');
  });
});

describe('realtime.presence.track', () => {
  it('shows each window who is there, until they leave', async () => {
    const [aiko, ben] = await Promise.all([listener(), listener()]);
    const name = topic();
    const channels = [aiko, ben].map(({ client, user }) =>
      client.channel(name, { config: { presence: { key: user.id } } }),
    );
    const [mine, theirs] = channels as [RealtimeChannel, RealtimeChannel];
    const present = (channel: RealtimeChannel, count: number): Promise<string[]> =>
      new Promise((resolve) => {
        const look = (): void => {
          const keys = Object.keys(channel.presenceState()).sort();
          if (keys.length === count) resolve(keys);
        };
        channel.on('presence', { event: 'sync' }, look);
      });
    const bothSeen = present(mine, 2);
    const alone = new Promise<unknown>((resolve) =>
      mine.on('presence', { event: 'leave' }, ({ key }) => resolve(key)),
    );
    await Promise.all(channels.map(joined));
    expect(await mine.track({ mood: 'good' })).toBe('ok');
    expect(await theirs.track({ mood: 'busy' })).toBe('ok');
    expect(await bothSeen).toEqual([aiko.user.id, ben.user.id].sort());
    await theirs.untrack();
    expect(await alone).toBe(ben.user.id);
  });
});

describe('realtime.subscriptions.private_channel', () => {
  it('is closed to whom no policy lets in', async () => {
    const aiko = await listener();
    await expect(talker(aiko, topic(), { config: { private: true } })).rejects.toThrow('Unauthorized');
  });
});
