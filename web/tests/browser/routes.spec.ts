import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { adminLogin } from '@/copy/admin';
import { notFound } from '@/copy/app';
import { terms } from '@/copy/terms';
import { combined, emailConfirmed, emailVerification, fields, signIn, signUp } from '@/copy/auth';
import { landing } from '@/copy/landing';
import { onboarding } from '@/copy/onboarding';
import { confirmedPerson, signInThroughPage } from './support/people';
import { expect, expectAccessible, test } from './support/test';

// RTE-001..RTE-010
test('Everybody may open the public pages', async ({ page }) => {
  for (const [path, title] of [
    [paths.home, landing.hero.headline],
    [paths.auth, combined.title],
    [paths.emailConfirmed, emailConfirmed.failedTitle],
    [paths.emailVerification, emailVerification.title],
    [paths.agent.signUp, signUp.agent.title],
    [paths.agent.signIn, signIn.agent.title],
    [paths.agent.profileCompletion, onboarding.profileCompletion.title],
    [paths.agent.payment, onboarding.payment.title],
    [paths.importer.signUp, signUp.importer.title],
    [paths.importer.signIn, signIn.importer.title],
    [paths.terms, terms.title],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
    await expect(page).toHaveURL(path);
    // The others are looked at in the journeys that use them.
    if (path === paths.terms || path === paths.emailConfirmed) await expectAccessible(page);
  }
});

const OUTSIDE = ['signUp', 'signUpSuccess', 'signIn', 'login', 'profileCompletion', 'payment'];

/** The addresses behind the guard of an area. */
function pagesOf(area: object): string[] {
  return Object.entries(area).flatMap(([name, path]) =>
    typeof path === 'string' && !OUTSIDE.includes(name) ? [path] : [],
  );
}

// RTE-017..RTE-037 GRD-005 GRD-006
for (const [type, own, others, count] of [
  ['agent', pagesOf(paths.agent).slice(1), pagesOf(paths.importer), 12],
  ['importer', pagesOf(paths.importer).slice(1), pagesOf(paths.agent), 12],
] as const) {
  test(`An ${type} opens every page of the own area and none of the other`, async ({ page }) => {
    expect(own).toHaveLength(count);
    await signInThroughPage(page, await confirmedPerson(type));
    await expect(page).toHaveURL(paths[type].dashboard);
    for (const path of own) await expectPage(page, path);
    for (const path of others) {
      await page.goto(path);
      await expect(page).toHaveURL(paths[type].dashboard);
    }
  });
}

// RTE-015 RTE-016 GRD-011
for (const type of ['agent', 'importer'] as const) {
  test.describe(`as ${type}`, () => {
    // Nobody has no profile.
    test.use({ refusals: [/\/rest\/v1\/profiles/] });

    test('The public profiles of both kinds are open', async ({ page }) => {
      const nobody = '00000000-0000-4000-8000-00000000ffff';
      await signInThroughPage(page, await confirmedPerson(type));
      await expect(page).toHaveURL(paths[type].dashboard);
      for (const path of [paths.agent.publicProfile(nobody), paths.importer.publicProfile(nobody)])
        await expectPage(page, path);
    });
  });
}

test.describe('behind the administrator’s login', () => {
  const admin = { email: 'admin@minato.example', password: process.env.DEMO_PASSWORD ?? 'minato-demo' };
  // The administrator has no profile.
  test.use({ refusals: [/\/rest\/v1\/profiles/] });

  // RTE-038..RTE-046 GRD-010 RT2-003 RT2-004 PR2-004
  test('The administrator opens every page of the back office, a visitor none', async ({ page }) => {
    const pages = pagesOf(paths.admin);
    expect(pages).toHaveLength(10);
    for (const path of pages) {
      await page.goto(path);
      await expect(page).toHaveURL(paths.admin.login);
    }
    await page.getByLabel(fields.email, { exact: true }).fill(admin.email);
    await page.getByLabel(fields.password, { exact: true }).fill(admin.password);
    await page.getByRole('button', { name: adminLogin.submit }).click();
    await expect(page).toHaveURL(paths.admin.root);
    for (const path of pages) await expectPage(page, path);
  });
});

/** The page is there, keeps its address, and is none of those that stand in for another. */
async function expectPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('main[aria-busy="true"]')).toHaveCount(0);
  await expect(page.getByText(notFound.title)).toBeHidden();
  await expect(page).toHaveURL(path);
}
