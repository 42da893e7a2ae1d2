import { expect, test } from 'minato-test/vitest';

test('a stranger cannot pay for me', async ({ branch }) => {
  const anna = await branch.as('anna'); // a person of users.toml
  const { data: cart } = await anna.from('carts').insert({}).select().single().throwOnError();

  const tom = await branch.as('tom');
  const { data } = await tom.from('carts').update({ paid: true }).eq('id', cart.id).select();

  expect(data).toEqual([]); // no error: the row is hidden from tom
  const reason = await branch.why('update', 'carts', { as: 'tom', where: `id=eq.${cart.id}` });
  expect(reason.sentence).toContain('People see and pay their own carts');
  expect((await branch.whyOf('last')).sentence).toBe(reason.sentence); // of the update itself
});

test('the code of a mail lives an hour', async ({ branch }) => {
  await branch.supabase.auth.signInWithOtp({ email: 'new@example.com' });
  const { code } = await branch.mailbox.waitFor('new@example.com'); // up to 5 s

  await branch.clock.advance('61m');

  const { error } = await branch.supabase.auth.verifyOtp({
    email: 'new@example.com',
    token: code,
    type: 'email',
  });
  expect(error?.code).toBe('otp_expired');
});

test('what happened is read from the database and the journal', async ({ branch }) => {
  const anna = await branch.as('anna');
  await anna.from('carts').insert({}).throwOnError();

  const paid = await branch.sql<{
    n: number;
  }>`select count(*)::int as n from public.carts where paid = ${false}`;
  expect(paid).toEqual([{ n: 1 }]);
  expect((await branch.events({ kind: 'request' }))[0]?.title).toBe('POST /rest/v1/carts 201');
});

test('a code that is known beforehand', async ({ branch }) => {
  await branch.fixCodes({ 'new@example.com': '123456' });
  await branch.supabase.auth.signInWithOtp({ email: 'new@example.com' });

  const { data } = await branch.supabase.auth.verifyOtp({
    email: 'new@example.com',
    token: '123456',
    type: 'email',
  });
  expect(data.user?.email).toBe('new@example.com');
});

test('an outage is told, and the next try succeeds', async ({ branch }) => {
  await branch.faults.add({ where: 'request', match: { table: 'carts' }, do: { status: 503 }, times: 1 });

  const first = await branch.supabase.from('carts').select().retry(false);
  const second = await branch.supabase.from('carts').select();

  expect(first.status).toBe(503);
  expect(second.data).toEqual([]);
});

test('a test goes back to where it stood', async ({ branch }) => {
  const anna = await branch.as('anna');
  await anna.from('carts').insert({}).throwOnError();
  const one = await branch.snapshot('one-cart');
  await anna.from('carts').insert({}).throwOnError();

  await branch.reset(one);

  expect((await anna.from('carts').select()).data).toHaveLength(1);
});
