// `tests/support/functions` holds what is called here.
import { FunctionRegion, FunctionsFetchError, FunctionsHttpError } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { admin, person, visitor } from './support/people';
import { target } from './support/target';

interface Echo {
  method: string;
  path: string;
  forced: string | null;
  headers: Record<string, string>;
  body: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const hasLeft = async (name: string) =>
  (await admin().functions.invoke<{ left: boolean | null }>(`echo/left?name=${name}`)).data?.left;

describe('functions.invocation.invoke', () => {
  it('sends JSON, forms and bytes as what they are, and reads the answer', async () => {
    const told = await visitor().functions.invoke<Echo>('echo', { body: { name: 'Ada' } });
    expect(told.error).toBeNull();
    expect(told.data).toMatchObject({ method: 'POST', path: '/echo', body: '{"name":"Ada"}' });
    expect(told.data?.headers['content-type']).toBe('application/json');
    const bytes = await visitor().functions.invoke<Echo>('echo', { body: new Blob(['raw']) });
    expect(bytes.data).toMatchObject({
      body: 'raw',
      headers: { 'content-type': 'application/octet-stream' },
    });
    const form = new FormData();
    form.set('field', 'value');
    const posted = await visitor().functions.invoke<Echo>('echo', { body: form });
    expect(posted.data?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(posted.data?.body).toContain('name="field"');
  });

  it('tells what a function refused, and that there is none of a name', async () => {
    const refused = await visitor().functions.invoke('echo/refuse');
    expect(refused.error).toBeInstanceOf(FunctionsHttpError);
    const context = (refused.error as FunctionsHttpError).context as Response;
    expect(context.status).toBe(422);
    expect(await context.json()).toEqual({ reason: 'not today' });
    const nobody = await visitor().functions.invoke('no-such-function');
    expect(((nobody.error as FunctionsHttpError).context as Response).status).toBe(404);
  });

  it('is refused to who brings a token that is none', async () => {
    const refused = await visitor().functions.invoke('echo', {
      headers: { Authorization: 'Bearer nonsense' },
    });
    expect(((refused.error as FunctionsHttpError).context as Response).status).toBe(401);
  });
});

describe('functions.invocation.method_override', () => {
  it.each<Method>(['GET', 'PUT', 'PATCH', 'DELETE'])('%s reaches the function as that', async (method) => {
    expect((await visitor().functions.invoke<Echo>('echo', { method })).data).toMatchObject({ method });
  });
});

describe('functions.invocation.region_selection', () => {
  it('hands the region on, in the header and the query', async () => {
    const { data } = await visitor().functions.invoke<Echo>('echo', { region: FunctionRegion.EuCentral1 });
    expect(data).toMatchObject({ forced: 'eu-central-1', headers: { 'x-region': 'eu-central-1' } });
  });
});

describe('functions.invocation.request_cancellation', () => {
  it('ends the request in the function too', async () => {
    const name = randomUUID();
    const leaving = new AbortController();
    const asked = visitor().functions.invoke(`echo/wait?name=${name}`, { signal: leaving.signal });
    await expect.poll(() => hasLeft(name), { timeout: 60_000 }).toBe(false);
    leaving.abort();
    expect((await asked).error).toBeInstanceOf(FunctionsFetchError);
    await expect.poll(() => hasLeft(name), { timeout: 60_000 }).toBe(true);
  });
});

describe('functions.invocation.set_auth_token', () => {
  it('calls as whose token it is, and as the person who is signed in', async () => {
    const { client } = await person();
    const token = (await client.auth.getSession()).data.session?.access_token;
    const own = await client.functions.invoke<Echo>('echo');
    expect(own.data?.headers.authorization).toBe(`Bearer ${token}`);
    const visiting = visitor();
    visiting.functions.setAuth(target().serviceRoleKey);
    const { data } = await visiting.functions.invoke<Echo>('echo');
    expect(data?.headers.authorization).toBe(`Bearer ${target().serviceRoleKey}`);
  });
});

describe('functions.invocation.streaming_response', () => {
  it('is handed on piece by piece', async () => {
    const told = await visitor().functions.invoke<Response>('echo/stream');
    expect(told.error).toBeNull();
    expect(await told.data?.text()).toBe('data: one\n\ndata: two\n\n');
  });
});

describe('functions.invocation.timeout', () => {
  it('gives up after so long, and the function hears of it', async () => {
    const name = randomUUID();
    const told = await visitor().functions.invoke(`echo/wait?name=${name}`, { timeout: 2000 });
    expect(told.error).toBeInstanceOf(FunctionsFetchError);
    await expect.poll(() => hasLeft(name), { timeout: 60_000 }).not.toBe(false);
  });
});
