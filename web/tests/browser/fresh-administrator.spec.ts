/** The first day of an installation: the address its operator named signs up, confirms by mail and comes in. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { adminClaim, adminLogin, adminSignUp } from '@/copy/admin';
import { app } from '@/copy/app';
import { fields } from '@/copy/auth';
import { adminDashboard } from '@/copy/back-office-figures';
import { newestMail } from './support/outbox';
import { expect, expectAccessible, test } from './support/test';

const ADMIN = { email: 'harbour@minato.example', password: 'correct horse battery' };

// Logging in before the confirmation is refused, and the administrator has no profile.
test.use({
  ownServer: { environment: { MINATO_ADMIN_EMAIL: ADMIN.email } },
  refusals: [/\/auth\/v1\/token|\/rest\/v1\/profiles/],
});

// ADE-003 ADE-004 ADE-005 ADE-022 ADE-025 ADE-031 ADE-032 ADE-035
test('A new administrator signs up, confirms by the mail, sets the password and logs in', async ({
  page,
  newWindow,
  server,
}) => {
  await page.goto(paths.admin.signUp);
  const pressed = Date.now();
  await submit(page, adminSignUp.submit);
  await expect(page.getByText(adminSignUp.success.text)).toBeVisible();
  await expect(page.getByText(adminSignUp.confirm)).toBeVisible();
  await expect(page).toHaveURL(paths.admin.login);
  expect(Date.now() - pressed).toBeGreaterThanOrEqual(1_500);
  await submit(page, adminLogin.submit);
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(adminLogin.notConfirmed);
  await expectAccessible(page);

  const mail = await newestMail(ADMIN.email, 'signup', server.url);
  expect(new URL(mail.link).searchParams.get('redirect_to')).toBe(server.url + paths.admin.login);
  const mailProgram = await newWindow();
  await mailProgram.goto(mail.link);
  await expect(mailProgram.getByRole('heading', { level: 1, name: adminClaim.title })).toBeVisible();
  await expectAccessible(mailProgram);
  await mailProgram.getByLabel(fields.password, { exact: true }).fill(ADMIN.password);
  await mailProgram.getByLabel(fields.confirmPassword, { exact: true }).fill(ADMIN.password);
  await mailProgram.getByRole('button', { name: adminClaim.submit }).click();
  await expectBackOffice(mailProgram);
  await mailProgram.getByRole('button', { name: app.signOut }).click();
  await expect(mailProgram).toHaveURL(paths.admin.login);

  await submit(page, adminLogin.submit);
  await expect(page.getByText(adminLogin.success)).toBeVisible();
  await expectBackOffice(page);
  expect(await page.evaluate(() => localStorage.getItem('adminData'))).toContain(ADMIN.email);
  await page.reload();
  await expectBackOffice(page);
});

async function submit(page: Page, button: string): Promise<void> {
  await page.getByLabel(fields.email, { exact: true }).fill(ADMIN.email);
  await page.getByLabel(fields.password, { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: button }).click();
}

/** With figures that the server gives to its administrator alone. */
async function expectBackOffice(page: Page): Promise<void> {
  await expect(page).toHaveURL(paths.admin.root);
  const agents = page
    .locator('dl > div')
    .filter({ has: page.getByText(adminDashboard.tiles.total_agents, { exact: true }) });
  await expect(agents).toContainText(/\d/);
}
