import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { adminLogin, adminSignUp, adminSignUpSuccess } from '@/copy/admin';
import { adminDashboard } from '@/copy/back-office-figures';
import { app } from '@/copy/app';
import { fields } from '@/copy/auth';
import { authClient, confirmedPerson, signInThroughPage } from './support/people';
import { serverInfo } from './support/server';
import { expect, expectAccessible, test } from './support/test';

/** The server's default; a test server names no other. */
const ADMIN = { email: 'admin@minato.example', password: process.env.DEMO_PASSWORD ?? 'minato-demo' };
const FOREIGN = { email: 'someone@example.com', password: 'correct horse' };

// The administrator has no profile, so reading it is answered 406.
test.use({ refusals: [/\/rest\/v1\/profiles/] });

// ADE-001 ADE-002 ADE-008 ADE-015 ADE-016 ADE-017 ADE-019 ADE-023 ADE-036 CON-007
test('Any address but the administrator’s is refused without a call', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/')) calls.push(request.url());
  });
  for (const [path, submit, text] of [
    [
      paths.admin.signUp,
      adminSignUp.submit,
      'Access Denied: This signup is only for the authorized admin email.',
    ],
    [paths.admin.login, adminLogin.submit, adminLogin.foreign],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: submit })).toBeVisible();
    await expectAccessible(page);
    await fill(page, FOREIGN);
    await page.getByRole('button', { name: submit }).click();
    await expect(refusal(page)).toHaveText(text);
  }
  expect(calls).toEqual([]);
});

// ADL-003 ADE-009 ADE-010 ADE-011 ADE-018 ADE-029 ADE-031 ADE-032 ADE-034 RTE-038 RTE-039 RTE-045 GRD-010 RT2-005
test('The administrator logs in, finds the back office and leaves no mark at logout', async ({ page }) => {
  await page.goto(paths.admin.dashboard);
  await expect(page).toHaveURL(paths.admin.login);
  await fill(page, ADMIN);
  await page.getByRole('button', { name: adminLogin.submit }).click();
  await expect(page.getByText(adminLogin.success)).toBeVisible();
  await expect(page).toHaveURL(paths.admin.root);
  await expect(page.getByText(adminDashboard.lead)).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => localStorage.getItem('adminData'))).toContain('Super Admin');
  await page.goto(paths.admin.login);
  await expect(page).toHaveURL(paths.admin.root);
  await page.getByRole('button', { name: app.signOut }).click();
  await expect(page).toHaveURL(paths.admin.login);
  await expect(page.getByRole('button', { name: adminLogin.submit })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('adminData'))).toBeNull();
});

// ADE-012 ADE-013 ADE-014 PRD-016
test('Another person is denied, and can sign out and try again', async ({ page }) => {
  await signInThroughPage(page, await confirmedPerson('importer'));
  await expect(page).toHaveURL(paths.importer.dashboard);
  await page.goto(paths.admin.agents);
  await expect(page).toHaveURL(paths.admin.login);
  await expect(refusal(page)).toHaveText('Access Denied: You must be logged in as admin to view this page');
  await expect(page.getByRole('link', { name: adminLogin.home, exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: adminLogin.tryAgain }).click();
  await expect(page.getByRole('button', { name: adminLogin.submit })).toBeVisible();
});

// ADE-006 ADE-007 CON-004
test('The success page leads to the login after three seconds', async ({ page }) => {
  // The page's clock goes on by itself until it is held: the page was drawn somewhere between `opened` and `held`.
  const opened = Date.now();
  await page.clock.install({ time: opened });
  await page.goto(paths.admin.signUpSuccess);
  await expect(page.getByRole('heading', { name: adminSignUpSuccess.title })).toBeVisible();
  const held = (await page.evaluate(() => Date.now())) + 500;
  await page.clock.pauseAt(held);
  await page.clock.runFor(Math.max(0, opened + 2_900 - held));
  await expect(page).toHaveURL(paths.admin.signUpSuccess);
  await page.clock.runFor(held - opened + 200);
  await expect(page).toHaveURL(paths.admin.login);
});

// PRD-016 GRD-013 GRD-014
test('A person’s own token opens none of the administrator’s functions', async () => {
  const { url, anon_key: apikey } = serverInfo();
  const { email, password } = await confirmedPerson('agent');
  const { data } = await authClient().signInWithPassword({ email, password });
  const answer = await fetch(`${url}/rest/v1/rpc/admin_overview`, {
    method: 'POST',
    headers: {
      apikey,
      authorization: `Bearer ${data.session?.access_token}`,
      'content-type': 'application/json',
    },
    body: '{}',
  });
  expect(answer.status).toBe(403);
});

test.describe('with a wrong password', () => {
  test.use({ refusals: [/\/auth\/v1\/token/] });

  // ADE-024
  test('The administrator reads what to do', async ({ page }) => {
    await page.goto(paths.admin.login);
    await fill(page, { ...ADMIN, password: 'not this one' });
    await page.getByRole('button', { name: adminLogin.submit }).click();
    await expect(refusal(page)).toHaveText(adminLogin.invalid);
  });
});

function refusal(page: Page) {
  return page.getByRole('main').getByRole('alert');
}

async function fill(page: Page, { email, password }: typeof ADMIN): Promise<void> {
  await page.getByLabel(fields.email, { exact: true }).fill(email);
  await page.getByLabel(fields.password, { exact: true }).fill(password);
}
