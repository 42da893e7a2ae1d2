// What goes wrong on purpose looks to the client as if it had gone wrong by itself.
import { FunctionsFetchError } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { admin, person, visitor } from './support/people';
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
});
