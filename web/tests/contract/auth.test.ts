import { describe, expect, it } from 'vitest';
import { admin, clientWith, freshAddress, mailTo, PASSWORD, person, visitor } from './support/people';
import { target } from './support/target';

describe('auth.sign_in.sign_up', () => {
  it('gives a user without a session and sends a confirmation', async () => {
    const email = freshAddress();
    const { data, error } = await visitor().auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { full_name: 'Aiko' } },
    });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({
      email,
      role: 'authenticated',
      user_metadata: { full_name: 'Aiko', email_verified: false },
    });
    expect(data.user?.identities).toHaveLength(1);
    expect((await mailTo(email, 'signup')).token).toMatch(/^\d{6}$/);
  });

  it('hides that an address is taken behind a user without identities', async () => {
    const { email } = await person();
    const { data, error } = await visitor().auth.signUp({ email, password: PASSWORD });
    expect(error).toBeNull();
    expect(data.user?.identities).toEqual([]);
  });

  it('refuses a weak password with its reason', async () => {
    const { error } = await visitor().auth.signUp({ email: freshAddress(), password: 'short' });
    expect(error).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      code: 'weak_password',
      reasons: ['length'],
    });
  });
});

describe('auth.sign_in.verify_otp', () => {
  it('signs in by the code in the mail', async () => {
    const client = visitor();
    const email = freshAddress();
    await client.auth.signUp({ email, password: PASSWORD });
    const { token } = await mailTo(email, 'signup');
    const { data, error } = await client.auth.verifyOtp({ email, token, type: 'email' });
    expect(error).toBeNull();
    expect(data.session?.token_type).toBe('bearer');
    expect(data.user?.email_confirmed_at).toBeTruthy();
  });

  it('takes a mailed hash only once', async () => {
    const email = freshAddress();
    await visitor().auth.signUp({ email, password: PASSWORD });
    const { token_hash } = await mailTo(email, 'signup');
    expect((await visitor().auth.verifyOtp({ token_hash, type: 'email' })).error).toBeNull();
    const again = await visitor().auth.verifyOtp({ token_hash, type: 'email' });
    expect(again.error).toMatchObject({
      status: 403,
      code: 'otp_expired',
      message: 'Email link is invalid or has expired',
    });
  });
});

describe('auth.sign_in.sign_in_with_password', () => {
  it('signs a confirmed user in', async () => {
    const { email } = await person();
    const { data, error } = await visitor().auth.signInWithPassword({ email, password: PASSWORD });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    expect(data.session?.expires_in).toBe(3600);
  });

  it('refuses a wrong password and an unknown address alike', async () => {
    const { email } = await person();
    for (const attempt of [
      { email, password: 'wrong' },
      { email: freshAddress(), password: PASSWORD },
    ]) {
      const { error } = await visitor().auth.signInWithPassword(attempt);
      expect(error).toMatchObject({
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      });
    }
  });

  it('refuses an address that is not confirmed', async () => {
    const email = freshAddress();
    await visitor().auth.signUp({ email, password: PASSWORD });
    const { error } = await visitor().auth.signInWithPassword({ email, password: PASSWORD });
    expect(error).toMatchObject({ status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' });
  });
});

describe('auth.session.get_user', () => {
  it('gives the user the token speaks for', async () => {
    const { client, user } = await person();
    expect((await client.auth.getUser()).data.user?.id).toBe(user.id);
  });

  it('refuses a forged token', async () => {
    const { error } = await visitor().auth.getUser(`${target().anonKey.slice(0, -4)}AAAA`);
    expect(error).toMatchObject({ status: 403, code: 'bad_jwt' });
  });
});

describe('auth.session.update_user', () => {
  it('merges metadata', async () => {
    const { client } = await person({ city: 'Kobe' });
    const { data } = await client.auth.updateUser({ data: { phone: '123' } });
    expect(data.user?.user_metadata).toMatchObject({ city: 'Kobe', phone: '123' });
  });
});

describe('auth.session.refresh_session', () => {
  it('rotates the refresh token and keeps the session', async () => {
    const { client } = await person();
    const before = (await client.auth.getSession()).data.session;
    const { data, error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(before?.refresh_token);
    expect((await client.auth.getUser()).error).toBeNull();
  });

  it('gives two refreshes at once the same next token', async () => {
    const { client } = await person();
    const refresh_token = (await client.auth.getSession()).data.session?.refresh_token ?? '';
    const [first, second] = await Promise.all(
      [0, 1].map(() => visitor().auth.refreshSession({ refresh_token })),
    );
    expect(first?.error).toBeNull();
    expect(second?.data.session?.refresh_token).toBe(first?.data.session?.refresh_token);
  });

  it('refuses a token nobody issued', async () => {
    const { error } = await visitor().auth.refreshSession({ refresh_token: 'abcdefghijkl' });
    expect(error).toMatchObject({ status: 400, code: 'refresh_token_not_found' });
  });
});

describe('auth.session.sign_out', () => {
  it('ends the session on the server at once', async () => {
    const { client } = await person();
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    expect((await client.auth.signOut()).error).toBeNull();
    expect((await visitor().auth.getUser(token)).error).toMatchObject({ name: 'AuthSessionMissingError' });
  });

  it('with scope others keeps this session and ends the rest', async () => {
    const { client, email } = await person();
    const elsewhere = visitor();
    await elsewhere.auth.signInWithPassword({ email, password: PASSWORD });
    await client.auth.signOut({ scope: 'others' });
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await elsewhere.auth.getUser()).error).not.toBeNull();
  });
});

describe('auth.session.get_claims', () => {
  it('reads the verified claims', async () => {
    const { client, user } = await person();
    const { data } = await client.auth.getClaims();
    expect(data?.claims).toMatchObject({
      sub: user.id,
      role: 'authenticated',
      aal: 'aal1',
      is_anonymous: false,
    });
  });

  it('checks the signature by the published keys and does not ask who it is', async () => {
    const { client, user } = await person();
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    const asked: string[] = [];
    const server = clientWith(target().anonKey, (input, init) => {
      const request = new Request(input, init);
      asked.push(new URL(request.url).pathname);
      return fetch(request);
    });
    const { data, error } = await server.auth.getClaims(token);
    expect(error).toBeNull();
    expect(data?.header).toMatchObject({ alg: 'ES256', typ: 'JWT' });
    expect(data?.claims.sub).toBe(user.id);
    // The client remembers keys; whoever it asks before it has them, it is never /user.
    expect(asked.filter((path) => path !== '/auth/v1/.well-known/jwks.json')).toEqual([]);

    const [head, , signature] = token.split('.');
    const forged = { ...data?.claims, role: 'service_role' };
    const body = Buffer.from(JSON.stringify(forged)).toString('base64url');
    expect((await server.auth.getClaims(`${head}.${body}.${signature}`)).error).toMatchObject({
      code: 'invalid_jwt',
    });
  });
});

describe('auth.sign_in.send_password_reset_email', () => {
  it('lets the reader of the mail set a new password', async () => {
    const { email } = await person();
    const client = visitor();
    expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull();
    const { token_hash } = await mailTo(email, 'recovery');
    await client.auth.verifyOtp({ token_hash, type: 'recovery' });
    expect((await client.auth.updateUser({ password: 'another good one' })).error).toBeNull();
    expect(
      (await visitor().auth.signInWithPassword({ email, password: 'another good one' })).error,
    ).toBeNull();
    expect((await visitor().auth.signInWithPassword({ email, password: PASSWORD })).error).not.toBeNull();
  });

  it('tells nobody whether an address is known', async () => {
    expect((await visitor().auth.resetPasswordForEmail(freshAddress())).error).toBeNull();
  });
});

describe('auth.sign_in.resend_confirmation', () => {
  it('sends a new link', async () => {
    const email = freshAddress();
    await visitor().auth.signUp({ email, password: PASSWORD });
    const first = await mailTo(email, 'signup');
    expect((await visitor().auth.resend({ type: 'signup', email })).error).toBeNull();
    const second = await mailTo(email, 'signup');
    expect(second.token_hash).not.toBe(first.token_hash);
    expect(
      (await visitor().auth.verifyOtp({ token_hash: second.token_hash, type: 'email' })).error,
    ).toBeNull();
  });
});

describe('client.request_configuration.global_headers', () => {
  it('takes the opaque keys in place of the legacy ones', async () => {
    const publishable = clientWith(target().publishableKey);
    expect((await publishable.from('makers').select('name').limit(1)).data).toHaveLength(1);
    const { data, error } = await clientWith(target().secretKey).from('orders').select('id');
    expect(error).toBeNull();
    expect(data).toBeInstanceOf(Array);
  });
});

describe('auth.admin.list_users', () => {
  it('is for the service role only', async () => {
    expect((await admin().auth.admin.listUsers({ perPage: 1 })).error).toBeNull();
    expect((await visitor().auth.admin.listUsers()).error).toMatchObject({ status: 403, code: 'not_admin' });
  });
});
