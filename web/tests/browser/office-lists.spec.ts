/** The back office's lists with a thousand entries each: what they ask for, what stands in the page, where one comes back to. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { adminList } from '@/copy/back-office';
import { adminRequests } from '@/copy/back-office-cases';
import { closeSheet, NO_PROFILE, sheet, show, signInAsAdmin, tab } from './support/administrator';
import { isThere, MOST_NODES, nodes, place, showMore } from './support/lists';
import { openLive } from './support/live';
import { changeRow, insertRow, memberId } from './support/operator';
import { seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ rows: 1_120, refusals: [NO_PROFILE] });
test.describe.configure({ mode: 'default' });

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const PAGE = 25;

const { admin } = paths;
const SCREENS = [
  [admin.agents, 'admin_agents'],
  [admin.importers, 'admin_importers'],
  [admin.requests, 'admin_requests'],
  [admin.messages, 'admin_tickets'],
  [`${admin.messages}?view=conversations`, 'admin_conversations'],
  [admin.mails, 'admin_mails'],
  [admin.audit, 'admin_audit'],
] as const;

const rows = (page: Page) => page.locator('main [data-place]');

/** What the page asks the back office's functions from now on. */
function asksOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'OPTIONS' && pathname.startsWith('/rest/v1/'))
      asked.push(pathname.replace(/^.*\//, ''));
  });
  return asked;
}

async function readOn(page: Page, pages: number): Promise<void> {
  for (let read = 1; read < pages; read += 1) {
    await showMore(page).click();
    await expect(page.locator(`[data-place="${read * PAGE}"]`)).toBeFocused();
  }
}

for (const [name, viewport] of [
  ['desk', DESK],
  ['phone', PHONE],
] as const) {
  test(`On a ${name} a list stands after three requests, in a page that stays small`, async ({ page }) => {
    test.slow();
    await page.setViewportSize(viewport);
    await signInAsAdmin(page);
    for (const [path, list] of SCREENS) {
      await page.goto(paths.terms);
      const asked = asksOf(page);
      const caughtUp = page.waitForResponse(/rpc\/admin_changes/);
      await page.goto(path);
      await caughtUp;
      await expect(rows(page)).toHaveCount(PAGE);
      const own = asked.filter((call) => call === list || call === 'admin_changes');
      expect(own, path).toEqual([list, 'admin_changes']);
      expect(asked.length, `${path}: ${asked.join()}`).toBeLessThanOrEqual(3);
      await readOn(page, 4);
      await expect.poll(() => nodes(page), path).toBeLessThanOrEqual(MOST_NODES);
      page.removeAllListeners('request');
    }
  });

  test(`On a ${name} Back and a reload lead to the row that was read, and the focus to where it was`, async ({
    page,
  }) => {
    test.slow();
    await page.setViewportSize(viewport);
    await signInAsAdmin(page);
    await page.goto(admin.requests);
    await expect(rows(page).first()).toBeVisible();
    await readOn(page, 5);
    const there = await place(page);
    expect(there.row).toBeGreaterThan(70);
    const opener = page.locator(`[data-place="${there.row + 2}"]`).getByRole('button', { name: /^Open / });
    await opener.focus();

    await page.reload();
    await expect.poll(() => isThere(page, there)).toBe(true);
    await expect(opener).toBeFocused();

    await page.evaluate((path) => {
      const link = [...document.querySelectorAll('a')].find(({ pathname }) => pathname === path);
      link?.click();
    }, admin.settings);
    await expect(page).toHaveURL(admin.settings);
    const asked = asksOf(page);
    await page.goBack();
    await expect.poll(() => isThere(page, there)).toBe(true);
    await expect(opener).toBeFocused();
    expect(asked.filter((call) => call === 'admin_requests')).toEqual([]);

    await opener.press('Enter');
    await expect(sheet(page)).toBeVisible();
    await closeSheet(page);
    await expect(opener).toBeFocused();
    expect(await isThere(page, there)).toBe(true);
  });
}

test('A change costs one small read, and a new entry waits until it is asked for', async ({
  page,
  server,
}) => {
  await signInAsAdmin(page);
  const caughtUp = page.waitForResponse(/rpc\/admin_changes/);
  await openLive(page, admin.requests, 'office_request_cases');
  await caughtUp;
  await readOn(page, 3);
  const seen = page.locator(`[data-place="${(await place(page)).row + 3}"]`);
  const model = (await seen.getByRole('button').innerText()).replace('Toyota ', '');
  const asked = asksOf(page);
  await changeRow(server, `car_requests?car_model=eq.${encodeURIComponent(model)}`, {
    budget_max: 77_000,
  });
  await expect(seen).toContainText('77k');
  expect(asked).toEqual(['admin_changes']);

  const before = await place(page);
  const importer_id = await memberId(server, seededPerson('importer').name);
  for (const car_model of ['Jimny', 'Swift', 'Alto'])
    await insertRow(server, 'car_requests', { importer_id, car_make: 'Suzuki', car_model });
  await expect(page.getByRole('button', { name: adminList.arrived(3) })).toBeVisible();
  expect(await place(page)).toEqual(before);
  await expectAccessible(page);
  asked.length = 0;
  await page.getByRole('button', { name: adminList.arrived(3) }).click();
  await expect(page.getByRole('button', { name: adminList.open('Suzuki Alto') })).toBeVisible();
  expect(asked).toEqual(['admin_requests']);
});

test('Counts stay those of the server while entries leave a tab', async ({ page, server }) => {
  await signInAsAdmin(page);
  await page.goto(admin.requests);
  await show(tab(page, adminRequests.tabs.completed));
  const counted = page.getByText(/^Showing \d+ of \d+$/);
  const total = async () => Number((await counted.innerText()).split(' ').at(-1));
  const before = await total();
  await changeRow(
    server,
    'request_cases?status=eq.completed&request_id=gte.f0000000-0000-0000-0000-000000000000',
    { status: 'cancelled' },
  );
  await expect.poll(total).toBeLessThan(before);
  await expect(tab(page, adminRequests.tabs.completed)).toContainText(String(await total()));
});
