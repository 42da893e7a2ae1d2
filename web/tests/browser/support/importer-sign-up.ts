/** How an importer comes in: the form, the mail, the first sign-in. Each page is looked at by axe on the way. */
import type { Page } from '@playwright/test';
import { emailVerificationPath, paths } from '@/config/paths';
import { emailConfirmed, emailVerification, fields, signIn, signUp } from '@/copy/auth';
import { importerDashboard } from '@/copy/dashboards';
import type { Person } from './people';
import { serverInfo } from './server';
import { expect, expectAccessible } from './test';

export async function registerImporter(page: Page, importer: Person): Promise<void> {
  await page.goto(paths.importer.signUp);
  await page.getByLabel(fields.fullName).fill(importer.name);
  await page.getByLabel(fields.companyName).fill('Schmidt Automobile');
  await page.getByRole('combobox', { name: fields.country }).click();
  await page.getByRole('combobox', { name: fields.countrySearch }).fill('germ');
  await page.getByRole('option', { name: 'Germany' }).click();
  await page.getByLabel(fields.city).fill('Hamburg');
  await page.getByLabel(fields.phone).fill('+49 40 1234567');
  await page.getByLabel(fields.email).fill(importer.email);
  await page.getByLabel(fields.password, { exact: true }).fill(importer.password);
  await page.getByLabel(fields.confirmPassword).fill(importer.password);
  await page.getByRole('checkbox').check();
  await expectAccessible(page);
  await page.getByRole('button', { name: signUp.importer.submit }).click();
  await expect(page).toHaveURL(emailVerificationPath('importer'));
  await expect(page.getByRole('heading', { name: emailVerification.title })).toBeVisible();
  await expect(page.getByText(importer.email)).toBeVisible();
  await expectAccessible(page);
}

export async function confirmByMail(page: Page, importer: Person): Promise<void> {
  await page.goto(`${serverInfo().url}/_dev/mailbox`);
  await page.getByLabel('To').fill(importer.email);
  await page.getByRole('button', { name: importer.email }).click();
  await page.getByRole('link', { name: 'Follow the link in this mail' }).click();
  await expect(page.getByRole('heading', { name: emailConfirmed.title })).toBeVisible();
  await expect(page.getByText(emailConfirmed.text)).toBeVisible();
  await expectAccessible(page);
}

export async function signInAfterConfirmation(page: Page, importer: Person): Promise<void> {
  await page.getByRole('link', { name: emailConfirmed.signIn }).click();
  await expect(page).toHaveURL(paths.importer.signIn);
  await page.getByLabel(fields.email).fill(importer.email);
  await page.getByLabel(fields.password, { exact: true }).fill(importer.password);
  await page.getByRole('button', { name: signIn.submit }).click();
  await expect(page.getByText(signIn.importer.success)).toBeVisible();
  await expect(page.getByRole('heading', { name: importerDashboard.welcome(importer.name) })).toBeVisible();
  await expectAccessible(page);
}
