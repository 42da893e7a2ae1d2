import { paths } from '@/config/paths';
import { emailConfirmed, fields, resent } from '@/copy/auth';
import { newestMail } from './support/outbox';
import { confirmedPerson, stranger, authClient } from './support/people';
import { expect, expectAccessible, test } from './support/test';

// EML-002 EML-003 EML-015 RTE-003
test('A link that is not for confirming addresses makes no call and offers a new one', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/verify')) calls.push(request.url());
  });
  await page.goto(`${paths.emailConfirmed}?token_hash=abc&type=recovery`);
  await expect(page.getByRole('heading', { name: emailConfirmed.failedTitle })).toBeVisible();
  await expect(page.getByRole('button', { name: emailConfirmed.resend })).toBeVisible();
  expect(calls).toEqual([]);
});

test.describe('with a forged link', () => {
  test.use({ refusals: [/\/auth\/v1\/verify/] });

  // EML-008
  test('A person is told that the confirmation failed', async ({ page }) => {
    await page.goto(`${paths.emailConfirmed}?token_hash=forged&type=email`);
    await expect(page.getByText(emailConfirmed.failedToast.title)).toBeVisible();
    await expect(page.getByText(emailConfirmed.failedToast.text)).toBeVisible();
  });

  // EML-008 EML-015 SES-020
  test('A link that was used already is refused, and whoever still waits gets a new one', async ({
    page,
  }) => {
    const used = await confirmedPerson('agent');
    const { token_hash: spent } = await newestMail(used.email);
    await page.goto(`${paths.emailConfirmed}?token_hash=${spent}&type=email`);
    await expect(page.getByText(emailConfirmed.failedToast.text)).toBeVisible();

    const waiting = stranger('agent');
    const { email, password } = waiting;
    const options = { data: { role: 'agent' } };
    const { error } = await authClient().signUp({ email, password, options });
    expect(error).toBeNull();
    const first = await newestMail(waiting.email);
    await page.getByLabel(fields.email).fill(waiting.email);
    await page.getByRole('button', { name: emailConfirmed.resend }).click();
    await expect(page.getByText(resent.text)).toBeVisible();
    const second = await newestMail(waiting.email);
    expect(second.token_hash).not.toBe(first.token_hash);
    await page.goto(second.link);
    await expect(page.getByRole('heading', { name: emailConfirmed.title })).toBeVisible();
    await expectAccessible(page);
  });
});
