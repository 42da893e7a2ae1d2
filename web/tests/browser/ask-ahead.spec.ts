/** The next page on its way before it stands: what is asked for when somebody reaches for its link, and in which order. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { savedCars } from '@/copy/cars';
import { navigation } from '@/copy/navigation';
import { arrive, seededPerson } from './support/people';
import { expect, test } from './support/test';

const FILE = /\/assets\/saved-cars-[^/]+\.js$/;
const link = (page: Page) => page.getByRole('link', { name: navigation.importer.savedCars }).first();
const heading = (page: Page) => page.getByRole('heading', { name: savedCars.title, level: 1 });

const rowsOf = (page: Page) =>
  page.waitForResponse(
    (answer) => answer.request().method() === 'GET' && answer.url().includes('/rest/v1/saved_posts'),
  );

/** A page of somebody whose browser has come to rest. */
async function rest(page: Page): Promise<string[]> {
  const ready = page.waitForResponse(/\/assets\/first-rows-/);
  await arrive(page, seededPerson('importer'), paths.importer.profile);
  await ready;
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'GET' && FILE.test(pathname)) asked.push('file');
    if (request.method() === 'GET' && pathname.includes('/rest/v1/saved_posts')) asked.push('rows');
  });
  return asked;
}

test('A link under the pointer has its page fetched, once, and a press asks for nothing more', async ({
  page,
}) => {
  const asked = await rest(page);
  const rows = rowsOf(page);
  await link(page).hover();
  await rows;
  expect(asked.toSorted()).toEqual(['file', 'rows']);
  await expect(heading(page)).toHaveCount(0);
  await link(page).click();
  await expect(heading(page)).toBeVisible();
  await page.mouse.move(0, 0);
  await link(page).hover();
  await expect(page).toHaveURL(paths.importer.savedCars);
  expect(asked.toSorted()).toEqual(['file', 'rows']);
});

test('A press without a warning asks for the rows beside the files, not after them', async ({ page }) => {
  const asked = await rest(page);
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(FILE, async (route) => {
    await held;
    await route.continue();
  });
  const rows = rowsOf(page);
  await link(page).evaluate((element: HTMLElement) => element.click());
  await rows;
  await expect(heading(page)).toHaveCount(0);
  expect(asked.toSorted()).toEqual(['file', 'rows']);
  letGo();
  await expect(heading(page)).toBeVisible();
  expect(asked.toSorted()).toEqual(['file', 'rows']);
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('A finger that comes down on a car of the dashboard has the page of the cars fetched', async ({
    page,
  }) => {
    const ready = page.waitForResponse(/\/assets\/first-rows-/);
    await arrive(page, seededPerson('importer'), paths.importer.dashboard);
    await ready;
    const file = page.waitForRequest(/\/assets\/available-cars-/);
    await page.locator(`main a[href^="${paths.importer.availableCars}"]`).first().dispatchEvent('touchstart');
    await file;
    await expect(page).toHaveURL(paths.importer.dashboard);
  });
});
