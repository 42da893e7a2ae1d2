/** Journeys by the keyboard alone: what is pressed is what the focus is on, and no pointer is used. */
import type { Locator, Page } from '@playwright/test';
import { emailVerificationPath, paths } from '@/config/paths';
import { emailConfirmed, fields, signUp } from '@/copy/auth';
import { importerDashboard } from '@/copy/dashboards';
import { messages as copy } from '@/copy/messages';
import { publicProfile } from '@/copy/profiles';
import { arrive, confirmedPerson, seededPerson, stranger } from './support/people';
import { expect, test } from './support/test';

const MOST_STOPS = 80;

/** Presses Tab until the focus is there, and sees that the focus shows. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      await expect(target).toBeInViewport();
      await expect(target).not.toHaveCSS('outline-style', 'none');
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`The focus does not come to ${target.toString()}.`);
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

test('An importer signs up, follows the mailed link and signs in without a pointer', async ({
  page,
  server,
}) => {
  const person = stranger('importer');
  await page.goto(paths.importer.signUp);
  await type(page, page.getByLabel(fields.fullName), person.name);
  await type(page, page.getByLabel(fields.companyName), 'Schmidt Automobile');
  await type(page, page.getByRole('combobox', { name: fields.country }), 'germ');
  await expect(page.getByRole('option', { name: 'Germany' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: fields.country })).toHaveText('Germany');
  await type(page, page.getByLabel(fields.city), 'Hamburg');
  await type(page, page.getByLabel(fields.phone), '+49 40 1234567');
  await type(page, page.getByLabel(fields.email), person.email);
  await type(page, page.getByLabel(fields.password, { exact: true }), person.password);
  await type(page, page.getByLabel(fields.confirmPassword), person.password);
  await press(page, page.getByRole('checkbox'), 'Space');
  await press(page, page.getByRole('button', { name: signUp.importer.submit }));
  await expect(page).toHaveURL(emailVerificationPath('importer'));

  await page.goto(`${server.url}/_dev/mailbox`);
  await type(page, page.getByLabel('To'), person.email);
  await press(page, page.getByRole('button', { name: person.email }));
  await press(page, page.getByRole('link', { name: 'Follow the link in this mail' }));
  await expect(page.getByRole('heading', { name: emailConfirmed.title })).toBeVisible();
  await press(page, page.getByRole('link', { name: emailConfirmed.signIn }));
  await expect(page).toHaveURL(paths.importer.signIn);
  await type(page, page.getByLabel(fields.email), person.email);
  await type(page, page.getByLabel(fields.password, { exact: true }), person.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(paths.importer.dashboard);
  await expect(page.getByRole('heading', { name: importerDashboard.welcome(person.name) })).toBeVisible();
});

test('An importer writes to an agent and comes back to the conversation without a pointer', async ({
  page,
  newWindow,
}) => {
  test.slow();
  const agentPage = await newWindow();
  await arrive(agentPage, seededPerson('agent'), paths.agent.profile);
  await agentPage.getByRole('link', { name: 'See your public profile' }).click();
  await expect(agentPage.getByText(publicProfile.yours)).toBeVisible();
  const agentId = agentPage.url().split('/').at(-1) ?? '';

  await arrive(page, await confirmedPerson('importer'), paths.agent.publicProfile(agentId));
  await press(page, page.getByRole('link', { name: publicProfile.message, exact: true }));
  await expect(page).toHaveURL(`${paths.importer.messages}?agent=${agentId}`);
  await type(page, page.getByLabel(copy.input, { exact: true }), 'Is the Aqua still there?');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log')).toContainText('Is the Aqua still there?');

  await page.goto(paths.importer.messages);
  await press(page, page.getByRole('button', { name: /Is the Aqua still there/ }));
  await tabTo(page, page.getByRole('log'));
  await type(page, page.getByLabel(copy.input, { exact: true }), 'I would take it.');
  await press(page, page.getByRole('button', { name: copy.send, exact: true }), 'Space');
  await expect(page.getByRole('log')).toContainText('I would take it.');
});
