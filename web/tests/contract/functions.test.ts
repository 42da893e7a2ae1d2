// `tests/support/functions` holds what is called here.
import { FunctionRegion, FunctionsFetchError, FunctionsHttpError } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
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

// What supabase-js hides is asked for by fetch, with nothing but what is said.
const ask = (path: string, init: RequestInit = {}) => fetch(`${target().url}/functions/v1/${path}`, init);
const bearer = (token: string) => ({ headers: { Authorization: token } });
const part = (given: object) => Buffer.from(JSON.stringify(given)).toString('base64url');
const signedBy = (alg: string) => `Bearer ${part({ alg })}.${part({ role: 'anon' })}.AAAA`;
const MALFORMED = 'TypeError: Invalid Token or Protected Header formatting';

describe('who may call a function', () => {
  it.each<[string, RequestInit, string]>([
    ['nobody', {}, 'Error: Missing authorization header'],
    ['another scheme', bearer('Basic abc'), "Error: Auth header is not 'Bearer {token}'"],
    ['a scheme in lower case', bearer('bearer abc'), "Error: Auth header is not 'Bearer {token}'"],
    ['no token', bearer('Bearer'), MALFORMED],
    ['a word', bearer('Bearer nonsense'), MALFORMED],
    ['a token that nobody signed', bearer(signedBy('none')), 'Invalid JWT'],
    ['a forged token', bearer(signedBy('HS256')), 'Invalid JWT'],
  ])('%s is refused in the words of the runtime', async (_, init, msg) => {
    const refused = await ask('echo', { method: 'POST', ...init });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/json']);
    expect(await refused.json()).toEqual({ msg });
  });

  it('asks a preflight for no token, and leaves the answer to the function', async () => {
    const told = await ask('echo', { method: 'OPTIONS' });
    expect([told.status, ((await told.json()) as Echo).method]).toEqual([200, 'OPTIONS']);
    const answer = await ask('wire/cors', { method: 'OPTIONS' });
    expect(answer.headers.get('x-by')).toBe('function');
  });

  it('asks nobody for a token where verify_jwt is off', async () => {
    expect((await ask('wire/nothing')).status).toBe(204);
  });

  it('says in plain text that there is no such function', async () => {
    const none = await ask('no-such-function');
    expect([none.status, none.headers.get('content-type')]).toEqual([404, 'text/plain']);
    expect(await none.text()).toBe('Function not found');
  });
});

describe('what a function that fails is answered for', () => {
  it.each([
    ['broken', 503, 'BOOT_ERROR', 'Worker failed to boot (please check logs)'],
    ['wire/thrown', 500, 'WORKER_ERROR', 'Function exited due to an error (please check logs)'],
    ['wire/ended', 500, 'WORKER_ERROR', 'Function exited due to an error (please check logs)'],
    [
      'wire/endless',
      546,
      'WORKER_LIMIT',
      'Worker failed to respond due to a resource limit (please check logs)',
    ],
  ])('%s', async (path, status, code, message) => {
    const told = await visitor().functions.invoke(path);
    expect(told.error).toBeInstanceOf(FunctionsHttpError);
    const context = (told.error as FunctionsHttpError).context as Response;
    expect([context.status, context.headers.get('x-relay-error')]).toEqual([status, null]);
    expect(await context.json()).toMatchObject({ code, message });
  });
});

describe('bodies and streams of a function', () => {
  it('come and go as the very bytes', async () => {
    const bytes = Uint8Array.from({ length: 256 * 1024 }, (_, at) => at % 256);
    const { data } = await visitor().functions.invoke<Blob>('wire/same', { body: bytes.buffer });
    const got = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer());
    expect(got.equals(bytes)).toBe(true);
  });

  it('keep the files of a form', async () => {
    const form = new FormData();
    form.set('note', 'für Ada');
    form.set('file', new File([new Uint8Array([0, 255, 13, 10])], 'a b.bin'));
    const { data } = await visitor().functions.invoke<object>('wire/form', { body: form });
    expect(data).toEqual({ note: 'für Ada', name: 'a b.bin', bytes: [0, 255, 13, 10] });
  });

  it('are handed on both ways at once: what is answered decides what is asked next', async () => {
    let asking: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (asking = controller) });
    const say = (text: string) => asking?.enqueue(new TextEncoder().encode(text));
    say('data: one\n\n');
    const answer = await ask('wire/upper', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const pieces = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await pieces?.read())?.value).toBe('DATA: ONE\n\n');
    say('data: two\n\n');
    expect((await pieces?.read())?.value).toBe('DATA: TWO\n\n');
    asking?.close();
    expect((await pieces?.read())?.done).toBe(true);
  });

  it('become a socket where the function upgrades, which closes as it says', async () => {
    expect((await ask('wire/socket')).status).toBe(426);
    const socket = new WebSocket(`${target().url.replace('http', 'ws')}/functions/v1/wire/socket`);
    const heard: string[] = [];
    socket.on('open', () => socket.send('hello'));
    socket.on('message', (data: Buffer) => {
      heard.push(data.toString());
      socket.send('end');
    });
    const closed = await new Promise((end, fail) => {
      socket.on('close', (code, reason) => end([code, reason.toString()]));
      socket.on('error', fail);
    });
    expect([heard, closed]).toEqual([['hello'], [4001, 'as asked']]);
  });

  it('may end before the work does: EdgeRuntime.waitUntil goes on', async () => {
    const { data } = await visitor().functions.invoke<{ done: number }>('wire/behind');
    const asked = () => visitor().functions.invoke<{ done: number }>('wire/done');
    await expect
      .poll(async () => (await asked()).data?.done, { timeout: 60_000 })
      .toBe((data?.done ?? 0) + 1);
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
