// A client that is given a branch's address finds a whole backend there, and nothing of main's.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, clientWith, person, type Client } from './support/people';
import { aimAtMain, target } from './support/target';

interface Branch {
  id: string;
  url: string;
  anon_key: string;
  service_role_key: string;
}

let branch: Branch;
const JOINED = new Set<string>(['SUBSCRIBED']);

function call(path: string, method: string): Promise<Response> {
  return fetch(`${target().url}/_dev/v1/branches${path}`, { method });
}

function client(key = branch.anon_key): Client {
  return clientWith(key, undefined, branch.url);
}

async function signedIn(): Promise<Client> {
  const account = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
  await client(branch.service_role_key).auth.admin.createUser({ ...account, email_confirm: true });
  const user = client();
  expect((await user.auth.signInWithPassword(account)).error).toBeNull();
  return user;
}

beforeAll(async () => {
  aimAtMain();
  const made = await call('', 'POST');
  expect(made.status).toBe(201);
  branch = (await made.json()) as Branch;
});

afterAll(async () => {
  await call(`/${branch.id}`, 'DELETE');
});

describe('a branch', () => {
  it('has users of its own, whose tokens open nothing else', async () => {
    const user = await signedIn();
    const { data } = await user.auth.getUser();
    expect(data.user?.email).toContain('@example.com');
    const { data: elsewhere } = await admin().auth.admin.getUserById(data.user?.id ?? '');
    expect(elsewhere.user).toBeNull();
    const { data: session } = await user.auth.getSession();
    const token = session.session?.access_token ?? '';
    const stranger = clientWith(token);
    const { error } = await stranger.from('profiles').select('id');
    expect(error?.hint).toBe(`This token was issued by branch ${branch.id}.`);
  });

  it('refuses a token of main', async () => {
    const { client: ours } = await person();
    const { data } = await ours.auth.getSession();
    const { error } = await client().auth.getUser(data.session?.access_token);
    expect(error?.message).toContain('issued by branch main');
  });

  it('keeps files below its own address', async () => {
    const service = client(branch.service_role_key);
    const bucket = randomUUID();
    await service.storage.createBucket(bucket, { public: true });
    expect((await service.storage.from(bucket).upload('a.txt', 'of the branch')).error).toBeNull();
    const { publicUrl } = service.storage.from(bucket).getPublicUrl('a.txt').data;
    expect(publicUrl.startsWith(`${branch.url}/storage/v1/`)).toBe(true);
    expect(await (await fetch(publicUrl)).text()).toBe('of the branch');
    const { data } = await service.storage.from(bucket).createSignedUrl('a.txt', 60);
    expect(await (await fetch(data?.signedUrl ?? '')).text()).toBe('of the branch');
    expect((await admin().storage.getBucket(bucket)).data).toBeNull();
  });

  it('carries broadcasts from one socket to another', async () => {
    const [one, other] = [client(), client()];
    const topic = randomUUID();
    const heard = new Promise((resolve) => {
      other
        .channel(topic)
        .on('broadcast', { event: 'said' }, resolve)
        .subscribe((status) => {
          if (JOINED.has(status)) {
            const channel = one.channel(topic);
            channel.subscribe((joined) => {
              if (JOINED.has(joined)) {
                void channel.send({ type: 'broadcast', event: 'said', payload: { by: 'one' } });
              }
            });
          }
        });
    });
    expect(await heard).toMatchObject({ event: 'said', payload: { by: 'one' } });
    await Promise.all([one.removeAllChannels(), other.removeAllChannels()]);
  });

  it('says when it went to a client that outlived it', async () => {
    const made = (await (await call('', 'POST')).json()) as Branch;
    expect((await call(`/${made.id}`, 'DELETE')).status).toBe(204);
    const late = clientWith(made.anon_key, undefined, made.url);
    const { error, status } = await late.from('profiles').select('id');
    expect(status).toBe(410);
    expect(error).toMatchObject({ code: 'branch_expired' });
  });
});
