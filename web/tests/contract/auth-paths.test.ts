import { describe, expect, it } from 'vitest';
import { clientWith, freshAddress, mailTo, PASSWORD, person, visitor } from './support/people';
import { target } from './support/target';

describe('the shapes a client counts on', () => {
  // SES-001 SES-002 SES-014 SES-016 SES-017
  it('are those of a session and of its user, at sign-in, at refresh and when asked', async () => {
    const { email } = await person({ role: 'agent' });
    const client = visitor();
    const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    const now = Math.floor(Date.now() / 1000);
    expect(data.session).toMatchObject({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as unknown,
      refresh_token: expect.any(String) as unknown,
      expires_in: 3600,
      token_type: 'bearer',
    });
    expect(Math.abs((data.session?.expires_at ?? 0) - now - 3600)).toBeLessThan(5);
    const refreshed = await client.auth.refreshSession();
    const asked = await client.auth.getUser();
    for (const user of [data.user, data.session?.user, refreshed.data.user, asked.data.user])
      expect(user).toMatchObject({
        id: expect.stringMatching(/^[\da-f-]{36}$/) as unknown,
        email,
        email_confirmed_at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
        user_metadata: { role: 'agent' },
        identities: [{ provider: 'email' }],
      });
  });

  // SES-001
  it('names the factors of a user who has one', async () => {
    const { client } = await person();
    await client.auth.mfa.enroll({ factorType: 'totp' });
    const { data } = await client.auth.getUser();
    expect(data.user?.factors).toMatchObject([{ factor_type: 'totp', status: 'unverified' }]);
  });
});

describe('a path no screen uses', () => {
  // SES-019
  it('recovers an account', async () => {
    const { email } = await person();
    expect((await visitor().auth.resetPasswordForEmail(email)).error).toBeNull();
    expect((await mailTo(email, 'recovery')).token).toMatch(/^\d{6}$/);
  });

  // SES-020
  it('sends the confirmation again', async () => {
    const email = freshAddress();
    await visitor().auth.signUp({ email, password: PASSWORD });
    expect((await visitor().auth.resend({ type: 'signup', email })).error).toBeNull();
  });

  // SES-021
  it('signs in by a code in a mail', async () => {
    const { email } = await person();
    const client = visitor();
    expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
    const { token } = await mailTo(email, 'magiclink');
    const { data, error } = await client.auth.verifyOtp({ email, token, type: 'email' });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
  });

  // SES-022 SES-023 SES-024 SES-025 SES-039
  it.each([
    ['single sign-on', () => visitor().auth.signInWithSSO({ domain: 'example.com' })],
    [
      'a token of an identity provider',
      () => visitor().auth.signInWithIdToken({ provider: 'google', token: 'x.y.z' }),
    ],
    [
      'a wallet',
      () =>
        visitor().auth.signInWithWeb3({
          chain: 'ethereum',
          message: 'x',
          signature: '0x00',
        }),
    ],
    [
      'a code nobody issued',
      () => visitor().auth.exchangeCodeForSession('0c0e1f3a-0000-4000-8000-000000000000'),
    ],
  ])('refuses %s in so many words', async (_what, attempt) => {
    const { error } = await attempt();
    expect(error).not.toBeNull();
    // A path that is not there would answer 404 without a code.
    expect(error?.status === 501 || error?.code).toBeTruthy();
  });

  // SES-026
  it('changes the account', async () => {
    const { client } = await person();
    const { data, error } = await client.auth.updateUser({ data: { city: 'Kobe' } });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toMatchObject({ city: 'Kobe' });
  });

  // SES-027
  it('sends a code to prove that it is still the same person', async () => {
    const { client, email } = await person();
    expect((await client.auth.reauthenticate()).error).toBeNull();
    expect((await mailTo(email, 'reauthentication')).token).toMatch(/^\d{6}$/);
  });

  // SES-039
  it('lists and links identities, or says that it is switched off', async () => {
    const { client } = await person();
    expect((await client.auth.getUserIdentities()).data?.identities).toHaveLength(1);
    expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
  });
});

describe('signing out', () => {
  // SES-028
  it.each([
    ['local', true, false],
    ['others', false, true],
    ['global', false, false],
  ] as const)('with scope %s leaves elsewhere: %s, here: %s', async (scope, elsewhereStays, hereStays) => {
    const { client, email } = await person();
    const elsewhere = visitor();
    await elsewhere.auth.signInWithPassword({ email, password: PASSWORD });
    const here = (await client.auth.getSession()).data.session?.access_token;
    expect((await client.auth.signOut({ scope })).error).toBeNull();
    expect((await elsewhere.auth.getUser()).error === null).toBe(elsewhereStays);
    expect((await visitor().auth.getUser(here)).error === null).toBe(hereStays);
  });

  // SES-037
  it('everywhere takes the session out of another browser as soon as that asks', async () => {
    const { client, email } = await person();
    const elsewhere = visitor();
    await elsewhere.auth.signInWithPassword({ email, password: PASSWORD });
    await client.auth.signOut({ scope: 'global' });
    expect((await elsewhere.auth.getSession()).data.session).not.toBeNull();
    expect((await elsewhere.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
    expect((await elsewhere.auth.getSession()).data.session).toBeNull();
  });
});

describe('an error that can surface', () => {
  // SES-032
  it('wants an address or a number, and a password', async () => {
    const nothing = {} as { email: string; password: string };
    const message = 'You must provide either an email or phone number and a password';
    expect((await visitor().auth.signUp(nothing)).error?.message).toBe(message);
    expect((await visitor().auth.signInWithPassword(nothing)).error?.message).toBe(message);
    const answer = await fetch(`${target().url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: target().anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: freshAddress() }),
    });
    expect([answer.status, ((await answer.json()) as { error_code: string }).error_code]).toEqual([
      400,
      'validation_failed',
    ]);
  });

  // SES-033
  it('says that there is no session', async () => {
    expect((await visitor().auth.getUser()).error?.message).toBe('Auth session missing!');
    expect((await visitor().auth.updateUser({ data: {} })).error?.message).toBe('Auth session missing!');
    expect((await visitor().auth.refreshSession()).error?.message).toBe('Auth session missing!');
  });

  // SES-035
  it('tells why a password is weak', async () => {
    const { error } = await visitor().auth.signUp({ email: freshAddress(), password: 'short' });
    expect(error).toMatchObject({ code: 'weak_password', reasons: ['length'] });
  });

  // SES-036
  it('knows a token that is none', async () => {
    expect((await visitor().auth.getUser('a.b.c')).error).toMatchObject({ status: 403, code: 'bad_jwt' });
    expect((await visitor().auth.getClaims('not a token')).error).toMatchObject({ code: 'invalid_jwt' });
  });
});

// SES-029
it('Key and token travel with every call, and the key alone is nobody', async () => {
  const seen: (string | null)[][] = [];
  const { client } = await person();
  const token = (await client.auth.getSession()).data.session?.access_token ?? '';
  const watching = clientWith(target().anonKey, async (input, init) => {
    const { headers } = new Request(input, init);
    seen.push([headers.get('apikey'), headers.get('authorization')]);
    return fetch(input, init);
  });
  await watching.from('makers').select('name').limit(1);
  await watching.auth.setSession({ access_token: token, refresh_token: 'unused' });
  await watching.from('makers').select('name').limit(1);
  const key = target().anonKey;
  expect(seen[0]).toEqual([key, `Bearer ${key}`]);
  expect(seen.at(-1)).toEqual([key, `Bearer ${token}`]);
});
