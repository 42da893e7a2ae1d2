// What goes wrong on purpose looks to the client as if it had gone wrong by itself.
import { FunctionsFetchError, type RealtimeChannel } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { admin, person, visitor, type Person } from './support/people';
import { target } from './support/target';

const set: string[] = [];
const JOINED = new Set<string>(['SUBSCRIBED']);

afterEach(async () => {
  await Promise.all(set.splice(0).map((id) => call(`/${id}`, { method: 'DELETE' })));
});

function call(path: string, init: RequestInit): Promise<Response> {
  return fetch(`${target().url}/_dev/v1/faults${path}`, init);
}

/** Each rule names its person or bucket: other tests meet on the same server. */
async function fault(rule: { where: string; match: object; do: object; times?: number }): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await call('', { method: 'POST', headers, body: JSON.stringify(rule) });
  expect(answer.status).toBe(201);
  set.push(((await answer.json()) as { id: string }).id);
}

describe('faults', () => {
  it('let the data API answer as one whose database is away', async () => {
    const { client, email } = await person();
    await fault({ where: 'request', match: { room: 'rest', user: email }, do: { status: 503 } });
    const { error, status } = await client.from('orders').insert({ note: 'lost' });
    expect(status).toBe(503);
    expect(error).toMatchObject({ code: 'PGRST000', hint: null });
  });

  it('cut the line behind the work, so that only the answer is lost', async () => {
    const { client, email, user } = await person();
    await fault({
      where: 'request',
      match: { method: 'POST', user: email },
      do: { drop: 'after' },
      times: 1,
    });
    const { error } = await client.from('orders').insert({ note: 'once' });
    expect(error?.message).toContain('fetch failed');
    const { count } = await admin()
      .from('orders')
      .select('*', { count: 'exact', head: true })
      .eq('user_id', user.id);
    expect(count).toBe(1);
  });

  it('let auth say that there were too many requests', async () => {
    const { client, email } = await person();
    await fault({ where: 'request', match: { room: 'auth', user: email }, do: { status: 429 } });
    const { error } = await client.auth.getUser();
    expect(error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  });

  it('refuse a mail as its server would', async () => {
    const email = `${randomUUID()}@example.com`;
    await fault({ where: 'mail', match: { to: email }, do: { refuse: true } });
    const { error } = await visitor().auth.signUp({ email, password: 'correct horse battery' });
    expect(error).toMatchObject({ name: 'AuthRetryableFetchError', status: 500 });
  });

  it('fill the disk under one bucket', async () => {
    const bucket = randomUUID();
    const client = admin();
    await client.storage.createBucket(bucket);
    await fault({ where: 'storage', match: { bucket }, do: { full: true }, times: 1 });
    const first = await client.storage.from(bucket).upload('a.txt', 'a');
    expect(first.error).toMatchObject({ status: 507 });
    expect((await client.storage.from(bucket).upload('a.txt', 'a')).error).toBeNull();
  });

  it('keep a function from being reached', async () => {
    const { client, email } = await person();
    const match = { room: 'functions', function: 'echo', user: email };
    await fault({ where: 'request', match, do: { drop: 'before' } });
    const answer = await client.functions.invoke<unknown>('echo');
    expect(answer.error).toBeInstanceOf(FunctionsFetchError);
  });

  it('silence a channel until the rule is gone', async () => {
    const { client } = await person();
    const topic = randomUUID();
    const heard: number[] = [];
    const channel = client.channel(topic, { config: { broadcast: { self: true, ack: true } } });
    channel.on('broadcast', { event: 'said' }, ({ payload }) => heard.push((payload as { n: number }).n));
    await new Promise<void>((resolve) => {
      channel.subscribe((status) => {
        if (JOINED.has(status)) resolve();
      });
    });
    await fault({ where: 'socket', match: { topic, event: 'broadcast' }, do: { lose: true }, times: 1 });
    await channel.send({ type: 'broadcast', event: 'said', payload: { n: 1 } });
    await channel.send({ type: 'broadcast', event: 'said', payload: { n: 2 } });
    await expect.poll(() => heard).toEqual([2]);
    await client.removeAllChannels();
  });

  it('let a channel hear twice what was said once', async () => {
    const { client } = await person();
    const topic = randomUUID();
    const heard: number[] = [];
    const channel = client.channel(topic, { config: { broadcast: { self: true, ack: true } } });
    channel.on('broadcast', { event: 'said' }, ({ payload }) => heard.push((payload as { n: number }).n));
    await joined(channel);
    await fault({ where: 'socket', match: { topic, event: 'broadcast' }, do: { duplicate: true }, times: 1 });
    await channel.send({ type: 'broadcast', event: 'said', payload: { n: 1 } });
    await channel.send({ type: 'broadcast', event: 'said', payload: { n: 2 } });
    await expect.poll(() => heard).toEqual([1, 1, 2]);
    await client.removeAllChannels();
  });

  it('give the bytes of a file wrongly', async () => {
    const bucket = randomUUID();
    const files = admin().storage;
    await files.createBucket(bucket);
    await files.from(bucket).upload('a.txt', 'abc');
    await fault({ where: 'storage', match: { bucket }, do: { corrupt: true }, times: 1 });
    const [spoiled, whole] = [await content(bucket), await content(bucket)];
    expect(spoiled).toHaveLength(3);
    expect(spoiled).not.toBe('abc');
    expect(whole).toBe('abc');
  });
});

const CHANGED = { event: '*', schema: 'public', table: 'orders' } as const;

function joined(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve) => {
    channel.subscribe((status) => {
      if (JOINED.has(status)) resolve();
    });
  });
}

async function content(bucket: string): Promise<string> {
  const { data } = await admin().storage.from(bucket).download('a.txt');
  return Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).toString('latin1');
}

/** A channel of row changes: what it was told of the line, and the notes of the rows that it heard of. */
async function follow({ client }: Person) {
  const told: string[] = [];
  const notes: string[] = [];
  const channel = client.channel(randomUUID());
  channel.on('system', {}, ({ status, message }: { status: string; message: string }) =>
    told.push(`${status}: ${message}`),
  );
  channel.on('postgres_changes', CHANGED, (change) => notes.push((change.new as { note: string }).note));
  await joined(channel);
  await expect.poll(() => told).toContain('ok: Subscribed to PostgreSQL');
  told.length = 0;
  return { told, notes };
}

describe('faults of row changes', () => {
  it('lose the feed: the client hears of the loss and of the recovery', async () => {
    const somebody = await person();
    const { told, notes } = await follow(somebody);
    await fault({ where: 'changes', match: {}, do: { lose_feed: 300 } });
    await expect
      .poll(() => told, { timeout: 10_000 })
      .toEqual([
        'error: Realtime lost the replication connection, changes may be missing',
        'ok: Subscribed to PostgreSQL',
      ]);
    await somebody.client.from('orders').insert({ note: 'after' });
    await expect.poll(() => notes).toEqual(['after']);
    await somebody.client.removeAllChannels();
  });

  it('lose the change of one table, and with it the feed', async () => {
    const somebody = await person();
    const { told, notes } = await follow(somebody);
    await fault({ where: 'changes', match: { table: 'orders' }, do: { lose_feed: 0 } });
    await somebody.client.from('orders').insert({ note: 'lost' });
    await expect.poll(() => told, { timeout: 10_000 }).toContain('ok: Subscribed to PostgreSQL');
    await somebody.client.from('orders').insert({ note: 'kept' });
    await expect.poll(() => notes).toEqual(['kept']);
    await somebody.client.removeAllChannels();
  });

  it('let changes lag behind answers', async () => {
    const somebody = await person();
    const { notes } = await follow(somebody);
    const lag = 600;
    await fault({ where: 'changes', match: { table: 'orders' }, do: { lag_ms: lag } });
    const began = performance.now();
    await somebody.client.from('orders').insert({ note: 'late' });
    expect(notes).toEqual([]);
    await expect.poll(() => notes, { timeout: 10_000 }).toEqual(['late']);
    // The lag counts from the commit, which the answer to the insert follows.
    expect(performance.now() - began).toBeGreaterThan(lag - 1);
    await somebody.client.removeAllChannels();
  });
});

describe('faults of the database', () => {
  it.each([
    [{ unreachable: true }, 503, 'PGRST000'],
    [{ exhausted: true }, 504, 'PGRST003'],
    [{ sqlstate: '40001' }, 500, '40001'],
  ])('reach the data API as %j', async (deed, status, code) => {
    const { client, email } = await person();
    await fault({ where: 'database', match: { user: email }, do: deed, times: 1 });
    // The library asks again by itself where the server says so, but never twice for a write.
    const refused = await client.from('orders').insert({ note: 'none' });
    expect(refused).toMatchObject({ status, error: { code } });
    expect((await client.from('orders').insert({ note: 'one' })).status).toBe(201);
  });

  it('reach auth as an error that may be tried again', async () => {
    const email = `${randomUUID()}@example.com`;
    await fault({ where: 'database', match: {}, do: { exhausted: true }, times: 1 });
    const { error } = await visitor().auth.signUp({ email, password: 'correct horse battery' });
    expect(error).toMatchObject({ name: 'AuthRetryableFetchError', status: 504 });
  });

  it('keep a private channel from being joined', async () => {
    const { client } = await person();
    await client.realtime.setAuth();
    // A socket is of whose token it was opened with: the app's key.
    await fault({ where: 'database', match: { role: 'anon' }, do: { exhausted: true } });
    const channel = client.channel(randomUUID(), { config: { private: true } });
    const refusal = await new Promise<Error | undefined>((resolve) => {
      channel.subscribe((_status, error) => {
        resolve(error);
      });
    });
    expect(refusal?.message).toContain('Please increase your connection pool size');
    await client.removeAllChannels();
  });
});
