/** Lists of a thousand offers: what they ask for, how much of them stands in the page, and where one comes back to. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { messages } from '@/copy/messages';
import { requests } from '@/copy/requests';
import { asksOf, isThere, MOST_NODES, nodes, place, showMore } from './support/lists';
import { openLive } from './support/live';
import { changeRow, insertRow, memberId } from './support/operator';
import { arrive, seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ rows: 1_120 });
test.describe.configure({ mode: 'default' });

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const PAGE = 24;

const cards = (page: Page) => page.locator('main article');

const SCREENS = [
  ['importer', paths.importer.feed],
  ['agent', paths.agent.feed],
  ['importer', paths.importer.availableCars],
  ['importer', paths.importer.savedCars],
  ['importer', paths.importer.requests],
  ['agent', paths.agent.requests],
  ['agent', `${paths.agent.feed}?tab=requests`],
  ['agent', paths.agent.invitations],
  ['agent', paths.agent.reviews],
  ['importer', `${paths.importer.reviews}?tab=by`],
] as const;

for (const [name, viewport] of [
  ['desk', DESK],
  ['phone', PHONE],
] as const) {
  test(`On a ${name} a list stands after three requests, in a page that is not large`, async ({ page }) => {
    test.slow();
    await page.setViewportSize(viewport);
    for (const [person, path] of SCREENS) {
      await arrive(page, seededPerson(person), paths.terms);
      const asked = asksOf(page);
      const caughtUp = page.waitForResponse(/rpc\/(offer|request|review|invitation)_changes/);
      await page.goto(path);
      await caughtUp;
      await expect(cards(page).first()).toBeVisible();
      expect(asked.length, `${path}: ${asked.join()}`).toBeLessThanOrEqual(3);
      await expect.poll(() => nodes(page), path).toBeLessThanOrEqual(MOST_NODES);
      page.removeAllListeners('request');
    }
  });

  test(`On a ${name} a reload and Back lead to the row that was read, with all pages before it`, async ({
    page,
  }) => {
    test.slow();
    await page.setViewportSize(viewport);
    await arrive(page, seededPerson('importer'), paths.importer.feed);
    for (let pages = 1; pages < 6; pages += 1) {
      await showMore(page).click();
      await expect(page.locator(`[data-place="${pages * PAGE}"]`)).toBeFocused();
    }
    await expect.poll(() => nodes(page)).toBeLessThanOrEqual(MOST_NODES);
    const there = await place(page);
    expect(there.row).toBeGreaterThan(100);

    await page.reload();
    await expect.poll(() => isThere(page, there)).toBe(true);

    await page.evaluate((path) => {
      const link = [...document.querySelectorAll('a')].find(({ pathname }) => pathname === path);
      link?.click();
    }, paths.importer.savedCars);
    await expect(page).toHaveURL(paths.importer.savedCars);
    await expect(page.locator(`[data-place="${there.row}"]`)).toBeHidden();
    await page.goBack();
    await expect.poll(() => isThere(page, there)).toBe(true);
    await page.reload();
    await expect.poll(() => isThere(page, there)).toBe(true);
  });
}

test('A change costs one small read, and shows where the offer stands', async ({ page, server }) => {
  await arrive(page, seededPerson('importer'), paths.terms);
  const caughtUp = page.waitForResponse(/rpc\/offer_changes/);
  await openLive(page, paths.importer.feed, 'agent_posts_changes');
  await caughtUp;
  await showMore(page).click();
  await expect(page.locator(`[data-place="${PAGE}"]`)).toBeFocused();
  const asked = asksOf(page);
  const seen = page.locator(`[data-place="${PAGE}"]`);
  const model = (await seen.getByRole('heading').innerText()).replace('Toyota ', '');
  await changeRow(server, `agent_posts?model=eq.${encodeURIComponent(model)}`, {
    availability_status: 'pending',
  });
  await expect(seen).toContainText('Reserved');
  expect(asked).toEqual(['POST /rest/v1/rpc/offer_changes']);

  const agent = await memberId(server, seededPerson('agent').name);
  const before = await place(page);
  await insertRow(server, 'agent_posts', { agent_id: agent, car_name: 'Suzuki', model: 'Jimny' });
  await expect(page.getByRole('button', { name: '1 new offer' })).toBeVisible();
  expect(await place(page)).toEqual(before);
  expect(asked).toHaveLength(2);
  await expectAccessible(page);
});

test('A change of a request costs one small read, and a new one waits until it is asked for', async ({
  page,
  server,
}) => {
  await arrive(page, seededPerson('agent'), paths.terms);
  const caughtUp = page.waitForResponse(/rpc\/request_changes/);
  await openLive(page, paths.agent.requests, 'car_requests_changes');
  await caughtUp;
  await showMore(page).click();
  const seen = page.locator(`[data-place="${PAGE}"]`);
  await expect(seen).toBeFocused();
  const asked = asksOf(page);
  const model = (await seen.getByRole('heading').innerText()).replace('Toyota ', '');
  const request = `car_requests?car_model=eq.${encodeURIComponent(model)}`;
  await changeRow(server, request, { shipping_port: 'Mombasa Kilindini' });
  await expect(seen).toContainText('Mombasa Kilindini');
  expect(asked).toEqual(['POST /rest/v1/rpc/request_changes']);

  const importer = await memberId(server, seededPerson('importer').name);
  const before = await place(page);
  const wish = {
    importer_id: importer,
    car_make: 'Suzuki',
    car_model: 'Jimny',
    budget_min: 1,
    budget_max: 2,
  };
  await insertRow(server, 'car_requests', wish);
  await expect(page.getByRole('button', { name: requests.newRequests(1) })).toBeVisible();
  expect(await place(page)).toEqual(before);
  await changeRow(server, request, { status: 'completed' });
  await expect(page.getByText(`Toyota ${model}`, { exact: true })).toHaveCount(0);
  expect(asked).toHaveLength(3);
  await expectAccessible(page);
});

test('Messages stand after two reads of their own, and one that arrives costs the count alone', async ({
  page,
  server,
}) => {
  const anna = await memberId(server, seededPerson('importer').name);
  const partner = await memberId(server, 'Agent 0001');
  await arrive(page, seededPerson('importer'), paths.terms);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'OPTIONS' && /\/rest\/v1\/(messages|rpc\/search_con)/.test(request.url()))
      asked.push(request.method());
  });
  await openLive(page, paths.importer.messages, 'messages_changes');
  const entries = page.getByRole('region', { name: messages.list }).getByRole('listitem');
  await expect(entries.first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  // The list, and what was written until the channel stood; the shell counts what is unread once it stands.
  expect(asked.filter((method) => method === 'GET').length, asked.join()).toBeLessThanOrEqual(2);
  expect(asked.length, asked.join()).toBeLessThanOrEqual(3);

  asked.length = 0;
  await insertRow(server, 'messages', { sender_id: partner, receiver_id: anna, content: 'Good news.' });
  await expect(entries.filter({ hasText: 'Good news.' })).toContainText(messages.unread);
  await expect.poll(() => asked).toEqual(['HEAD']);
  await page.getByLabel(messages.search).fill('good news');
  await expect(entries).toHaveCount(1);
  await page.getByLabel(messages.search).fill('nobody said this');
  await expect(page.getByText(messages.noMatch)).toBeVisible();
});
