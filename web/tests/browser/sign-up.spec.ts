import { paths } from '@/config/paths';
import { emailConfirmed, fields, signUp } from '@/copy/auth';
import { validation } from '@/copy/validation';
import { expect, expectAccessible, test } from './support/test';

// IMSU-001..IMSU-004 IMSU-010 IMSU-011 RTE-009
test('An importer who presses register on an empty form reads every message and starts at the first field', async ({
  page,
}) => {
  await page.goto(paths.importer.signUp);
  await page.getByRole('button', { name: signUp.importer.submit }).click();
  for (const message of [
    validation.fullName,
    validation.companyName,
    validation.country,
    validation.city,
    validation.phone,
    validation.email,
    validation.passwordSignUp,
    validation.terms,
  ]) {
    await expect(page.getByText(message)).toBeVisible();
  }
  await expect(page.getByLabel(fields.fullName)).toBeFocused();
  await page.getByLabel(fields.confirmPassword).fill('something else');
  await expect(page.getByText(validation.passwordMatch)).toBeVisible();
  await expectAccessible(page);
});

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
});
