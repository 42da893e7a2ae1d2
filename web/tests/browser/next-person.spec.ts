/** What one person has read is never shown to the next one in the same browser. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { fields, signIn } from '@/copy/auth';
import { navigation } from '@/copy/navigation';
import { card } from '@/copy/posts';
import { insertRow, memberId } from './support/operator';
import { arrive, confirmedPerson, seededPerson, type Person } from './support/people';
import type { ServerInfo } from './support/server';
import { expect, test } from './support/test';

const leave = (page: Page) => page.getByRole('button', { name: app.signOut }).click();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A car that the first person has just saved, as their feed marks it. */
async function saveCar(page: Page, server: ServerInfo): Promise<string> {
  const model = `Marked ${Date.now()}`;
  const agentId = await memberId(server, seededPerson('agent').name);
  await insertRow(server, 'agent_posts', { agent_id: agentId, car_name: 'Toyota', model, cnf_price: 1 });
  await arrive(page, await confirmedPerson('importer'), paths.importer.feed);
  await button(page, `${card.save} Toyota ${model}`).click();
  await expect(button(page, `${card.saved} Toyota ${model}`)).toBeVisible();
  return model;
}

/** By the form that the page shows by itself: nothing is loaded afresh. */
async function signInHere(page: Page, { email, password }: Person): Promise<void> {
  await expect(page).toHaveURL(paths.auth);
  await page.getByLabel(fields.email, { exact: true }).fill(email);
  await page.getByLabel(fields.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: signIn.submit }).click();
}

/** Whether these words were in the page at any moment from now on. */
async function watchFor(page: Page, words: string): Promise<() => Promise<boolean>> {
  await page.evaluate((text) => {
    const seen = { it: false };
    Object.assign(window, { seen });
    const look = () => (seen.it ||= document.body.outerHTML.includes(text));
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  }, words);
  return () => page.evaluate(() => (window as unknown as { seen: { it: boolean } }).seen.it);
}

async function expectNothingOf(page: Page, model: string, wasSeen: () => Promise<boolean>): Promise<void> {
  await page.getByRole('link', { name: navigation.importer.feed, exact: true }).first().click();
  await expect(button(page, `${card.save} Toyota ${model}`)).toBeVisible();
  expect(await wasSeen()).toBe(false);
}

test('Who signs in after somebody in the same tab sees nothing of theirs', async ({ page, server }) => {
  test.slow();
  const model = await saveCar(page, server);
  await leave(page);
  await expect(page).toHaveURL(paths.auth);
  const wasSeen = await watchFor(page, `${card.saved} Toyota ${model}`);
  await signInHere(page, await confirmedPerson('importer'));
  await expect(page).toHaveURL(paths.importer.dashboard);
  await expectNothingOf(page, model, wasSeen);
});

test('Who signs in after somebody in another tab sees nothing of theirs in this one', async ({
  page,
  server,
}) => {
  test.slow();
  const model = await saveCar(page, server);
  const other = await page.context().newPage();
  await other.goto(paths.importer.dashboard);
  await leave(other);
  await expect(page).toHaveURL(paths.auth);
  const wasSeen = await watchFor(page, `${card.saved} Toyota ${model}`);
  await signInHere(other, await confirmedPerson('importer'));
  await expect(other).toHaveURL(paths.importer.dashboard);
  await expect(page).not.toHaveURL(paths.auth);
  await expectNothingOf(page, model, wasSeen);
});
