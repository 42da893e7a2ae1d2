import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { fields, signIn } from '@/copy/auth';
import { settings as copy } from '@/copy/settings';
import { support } from '@/copy/support';
import { validation } from '@/copy/validation';
import { confirmedPerson, signInThroughPage, type Person } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ refusals: [/\/auth\/v1\/(user|token)/] });

async function open(page: Page): Promise<Person> {
  const person = await confirmedPerson('importer');
  await signInThroughPage(page, person);
  await expect(page).toHaveURL(paths.importer.dashboard);
  await page.goto(paths.importer.settings);
  return person;
}

// AGS-001, AGS-007, IMT-001
test('A password is changed only by who knows the current one, and the old one no longer works', async ({
  page,
  newWindow,
}) => {
  const person = await open(page);
  const current = page.getByLabel(copy.password.current, { exact: true });
  await current.fill('not my password');
  await page.getByLabel(copy.password.next, { exact: true }).fill('a new battery staple');
  await page.getByLabel(copy.password.confirm, { exact: true }).fill('a new battery');
  await page.getByRole('button', { name: copy.password.submit }).click();
  await expect(page.getByText(validation.passwordMatch)).toBeVisible();
  await page.getByLabel(copy.password.confirm, { exact: true }).fill('a new battery staple');
  await page.getByRole('button', { name: copy.password.submit }).click();
  await expect(page.getByText(validation.currentPassword)).toBeVisible();
  await current.fill(person.password);
  await page.getByRole('button', { name: copy.password.submit }).click();
  await expect(page.getByText(copy.password.done.title)).toBeVisible();

  const elsewhere = await newWindow();
  await signInThroughPage(elsewhere, person);
  await expect(elsewhere.getByText(signIn.invalid.text).first()).toBeVisible();
  await elsewhere.getByLabel(fields.password, { exact: true }).fill('a new battery staple');
  await elsewhere.getByRole('button', { name: signIn.submit }).click();
  await expect(elsewhere).toHaveURL(paths.importer.dashboard);
});

// AGS-002, AGS-008, AGS-010, IMT-002, IMT-005
test('Switches begin as documented and stay as they were left', async ({ page }) => {
  await open(page);
  const email = page.getByRole('switch', { name: copy.notifications.email });
  const sms = page.getByRole('switch', { name: copy.notifications.sms });
  const allow = page.getByRole('switch', { name: copy.privacy.allow });
  await expect(email).toBeChecked();
  await expect(sms).not.toBeChecked();
  await expect(page.getByRole('switch', { name: copy.notifications.proposals })).toBeChecked();
  await expectAccessible(page);
  const saved = page.waitForResponse(/notification_preferences/);
  await sms.click();
  await saved;
  const allowed = page.waitForResponse(/rest\/v1\/profiles/);
  await allow.click();
  await allowed;
  const number = page.getByRole('switch', { name: copy.privacy.phone });
  await expect(number).toBeChecked();
  const hidden = page.waitForResponse(/rest\/v1\/profiles/);
  await number.click();
  await hidden;
  await page.reload();
  await expect(sms).toBeChecked();
  await expect(allow).not.toBeChecked();
  await expect(number).not.toBeChecked();
});

// AGS-004, AGS-005, AGS-009, IMT-003
test('In a demonstration Delete Account answers with its documented toast', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: copy.danger.delete }).click();
  await expect(page.getByText(copy.danger.demo.title)).toBeVisible();
  await expect(page.getByText(copy.danger.demo.text)).toBeVisible();
});

// AGS-011
test('Support is written to from the settings', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: support.submit }).click();
  await expect(page.getByText(support.subjectMissing)).toBeVisible();
  await page.getByLabel(support.subject).fill('A question');
  await page.getByLabel(support.body).fill('Where do I find my invoices?');
  await page.getByRole('button', { name: support.submit }).click();
  await expect(page.getByText(support.done.text)).toBeVisible();
});
