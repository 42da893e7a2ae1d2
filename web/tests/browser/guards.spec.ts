import { paths } from '@/config/paths';
import { notFound } from '@/copy/app';
import { combined, signIn } from '@/copy/auth';
import { confirmedPerson, signInThroughPage, stranger } from './support/people';
import { expect, expectAccessible, test } from './support/test';

// GRD-003 GRD-011 RTE-002
test('A visitor who opens a protected page is sent to sign in', async ({ page }) => {
  for (const path of [paths.importer.dashboard, paths.agent.messages, paths.agent.publicProfile('someone')]) {
    await page.goto(path);
    await expect(page).toHaveURL(paths.auth);
  }
  await expect(page.getByRole('heading', { name: combined.title })).toBeVisible();
  await expectAccessible(page);
});

// GRD-008 RTE-027 RTE-035
test('An importer who opens the agent area lands on the own dashboard, and a deep link survives a reload', async ({
  page,
}) => {
  await signInThroughPage(page, await confirmedPerson('importer'));
  await expect(page).toHaveURL(paths.importer.dashboard);
  await page.goto(paths.agent.messages);
  await expect(page).toHaveURL(paths.importer.dashboard);
  await page.goto(paths.importer.feed);
  await page.reload();
  await expect(page).toHaveURL(paths.importer.feed);
});

// GRD-009 RTE-017 AGSI-004
test('An agent who opens the importer area or the start page lands on the own dashboard', async ({
  page,
}) => {
  await signInThroughPage(page, await confirmedPerson('agent'));
  await expect(page).toHaveURL(paths.agent.dashboard);
  await expectAccessible(page);
  for (const path of [paths.importer.feed, paths.home]) {
    await page.goto(path);
    await expect(page).toHaveURL(paths.agent.dashboard);
  }
});

// SES-005 SES-007
test('Signing out ends the session and leaves nothing of the person in the browser', async ({ page }) => {
  await signInThroughPage(page, await confirmedPerson('importer'));
  await expect(page).toHaveURL(paths.importer.dashboard);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(paths.auth);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('sb-')))).toEqual(
    [],
  );
  await page.goto(paths.importer.dashboard);
  await expect(page).toHaveURL(paths.auth);
});

test.describe('no page at all', () => {
  test.use({ refusals: [/no\/such\/page/] });

  // NFD-001..NFD-003 RTE-014
  test('An unknown address says so and leads home', async ({ page }) => {
    await page.goto('/no/such/page');
    await expect(page.getByText(notFound.title)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: notFound.home }).click();
    await expect(page).toHaveURL(paths.home);
  });
});

test.describe('at the wrong door', () => {
  test.use({ refusals: [/\/auth\/v1\/token/] });

  for (const [type, door] of [
    ['importer', 'agent'],
    ['agent', 'importer'],
  ] as const) {
    test(`An ${type} is turned away from the ${door} sign-in and holds no session afterwards`, async ({
      page,
    }) => {
      await signInThroughPage(page, await confirmedPerson(type), door);
      const { title, text } = signIn[door].wrongDoor;
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(`${title}: ${text}`);
      await expect(page).toHaveURL(paths[door].signIn);
      await expectAccessible(page);
      await page.goto(paths[type].dashboard);
      await expect(page).toHaveURL(paths.auth);
    });
  }

  // IMSI-007 ERR-001
  test('A wrong password is refused in the documented words', async ({ page }) => {
    await signInThroughPage(page, stranger('importer'));
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'Invalid credentials: Please check your email and password and try again.',
    );
  });
});

test.describe('with a second browser', () => {
  // What is refused there is the point of the story.
  test.use({ refusals: [/\/(auth|rest)\/v1\//] });

  // SES-007 SES-037 SES-040
  test('Signing out in one browser ends the session of another at its next refresh', async ({
    page,
    newWindow,
  }) => {
    const person = await confirmedPerson('importer');
    await signInThroughPage(page, person);
    await expect(page).toHaveURL(paths.importer.dashboard);
    const elsewhere = await newWindow();
    await elsewhere.clock.install();
    await signInThroughPage(elsewhere, person);
    await expect(elsewhere).toHaveURL(paths.importer.dashboard);

    const told = page.waitForResponse(/\/auth\/v1\/logout/);
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL(paths.auth);
    await told;

    await elsewhere.clock.fastForward('01:01:00');
    await expect(elsewhere).toHaveURL(paths.auth);
    const keys = await elsewhere.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.includes('sb-')),
    );
    expect(keys).toEqual([]);
  });
});
