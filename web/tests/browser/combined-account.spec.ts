import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { combined, fields, recovery, signIn, signUp } from '@/copy/auth';
import { newestMail } from './support/outbox';
import { confirmedPerson, stranger, type Person } from './support/people';
import { expect, expectAccessible, test } from './support/test';

// AUTH-002 AUTH-003 AUTH-008 AUTH-009 AUTH-010 AUTH-027 AUTH-032
test('A person handed over from elsewhere finds the form filled in, signs up, and cannot sign up twice', async ({
  page,
}) => {
  const person = stranger('importer');
  await handOver(page, person);
  await expect(page.getByRole('tab', { name: combined.tabs.signUp })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(page.getByLabel(fields.fullName)).toHaveValue(person.name);
  await register(page, person);
  await expect(page.getByRole('heading', { name: combined.done.title })).toBeVisible();
  await expect(page.getByText(combined.done.text)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: combined.done.back }).click();

  await handOver(page, { ...person, email: (await confirmedPerson('importer')).email });
  await register(page, person);
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(signUp.duplicate);
  await expectAccessible(page);
});

// AUTH-005 AUTH-006 AUTH-031
for (const type of ['agent', 'importer'] as const) {
  test(`An ${type} signs in at the combined page and finds the own dashboard`, async ({ page }) => {
    await attempt(page, await confirmedPerson(type));
    await expect(page.getByText(combined.success)).toBeVisible();
    await expect(page).toHaveURL(paths[type].dashboard);
  });
}

test.describe('refused', () => {
  test.use({ refusals: [/\/auth\/v1\/token/] });

  // AUTH-025 AUTH-026 AUTH-028
  test('A wrong password and an unconfirmed address each have their words', async ({ page }) => {
    const alert = page.getByRole('main').getByRole('alert');
    await attempt(page, { ...(await confirmedPerson('importer')), password: 'not this one' });
    await expect(alert).toHaveText(combined.invalid);
    await expect(page.getByText(combined.signInFailed)).toBeVisible();
    const unconfirmed = stranger('importer');
    await handOver(page, unconfirmed);
    await register(page, unconfirmed);
    await expect(page.getByRole('heading', { name: combined.done.title })).toBeVisible();
    await attempt(page, unconfirmed);
    await expect(alert).toHaveText(`${signIn.notConfirmed.title}: ${signIn.notConfirmed.text}`);
  });
});

// RTE-049
test('Who forgot the password asks for a mail, follows it and chooses a new one', async ({ page }) => {
  const person = await confirmedPerson('importer');
  await page.goto(paths.importer.signIn);
  await page.getByRole('button', { name: recovery.open }).click();
  const dialog = page.getByRole('dialog', { name: recovery.title });
  await expectAccessible(page);
  await dialog.getByLabel(fields.email).fill(person.email);
  await dialog.getByRole('button', { name: recovery.send }).click();
  await expect(page.getByText(recovery.sent.text)).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.goto((await newestMail(person.email)).link);
  await expect(page.getByRole('heading', { name: recovery.newTitle })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${paths.auth}(#.*)?$`));
  await expectAccessible(page);
  await page.getByLabel(recovery.newPassword).fill('a new good password');
  await page.getByLabel(fields.confirmPassword).fill('a new good password');
  await page.getByRole('button', { name: recovery.save }).click();
  await expect(page.getByText(recovery.saved.text)).toBeVisible();
  await expect(page).toHaveURL(paths.importer.dashboard);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(paths.auth);
  await attempt(page, { ...person, password: 'a new good password' });
  await expect(page).toHaveURL(paths.importer.dashboard);
});

/** As another screen of the app would: by the state of the navigation. */
async function handOver(page: Page, { name, email }: Person): Promise<void> {
  await page.goto(paths.auth);
  const signup = { fullName: name, country: 'DE', city: 'Hamburg', phone: '+49 40 1234567', email };
  await page.evaluate((state) => history.replaceState({ usr: state, key: 'handed-over', idx: 0 }, ''), {
    signup,
  });
  await page.reload();
}

async function register(page: Page, { password }: Person): Promise<void> {
  await page.getByLabel(fields.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: combined.signUpSubmit }).click();
}

async function attempt(page: Page, { email, password }: Person): Promise<void> {
  await page.goto(`${paths.auth}?tab=sign-in`);
  await page.getByLabel(fields.email, { exact: true }).fill(email);
  await page.getByLabel(fields.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: signIn.submit }).click();
}
