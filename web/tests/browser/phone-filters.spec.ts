/** On a phone filters wait in a sheet at the lower edge, which says how much they leave. */
import type { Locator, Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { importerFeed } from '@/copy/directory';
import { liveRequests, requests } from '@/copy/requests';
import { arrive, seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

// ARF-003
test('An agent narrows the live requests in a sheet and takes the filters back', async ({ page }) => {
  await signInAsAgent(page);
  await page.goto(`${paths.agent.feed}?tab=requests`);
  await expect(page.getByRole('article').first()).toBeVisible();
  const sheet = await openFilters(page);
  // A make nobody of any journey asks for.
  await sheet.getByLabel(liveRequests.make).selectOption('Daihatsu');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: requests.result(0) }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByText(requests.empty.title)).toBeVisible();
  await page.getByRole('button', { name: `${liveRequests.filter} (1)` }).click();
  await sheet.getByRole('button', { name: liveRequests.reset }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByRole('button', { name: liveRequests.filter, exact: true })).toBeFocused();
});

test('An agent narrows the importers in a sheet', async ({ page }) => {
  await signInAsAgent(page);
  await page.goto(paths.agent.importerFeed);
  await expect(page.getByRole('article').first()).toBeVisible();
  const sheet = await openFilters(page);
  const country = sheet.getByLabel(importerFeed.country);
  await country.selectOption({ index: 1 });
  const chosen = await country.locator('option:checked').innerText();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: /^Show \d+ importers?$/ }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('article').first()).toContainText(chosen);
  await expect(page.getByRole('button', { name: `${importerFeed.filter} (1)` })).toBeVisible();
});

async function signInAsAgent(page: Page): Promise<void> {
  await arrive(page, seededPerson('agent'));
}

/** Seen to stand at the lower edge, as wide as the phone. */
async function openFilters(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: liveRequests.filter, exact: true }).click();
  const sheet = page.getByRole('dialog', { name: app.filterTitle });
  await expect.poll(async () => bottomOf(sheet)).toBe(844);
  return sheet;
}

async function bottomOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return box?.x === 0 && box.width === 390 ? Math.round(box.y + box.height) : -1;
}
