import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { availableCars, savedCars } from '@/copy/cars';
import { directory } from '@/copy/directory';
import { messages } from '@/copy/messages';
import { card, feed, ownPost, postToasts } from '@/copy/posts';
import { arrive, confirmedPerson, seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

async function importerAt(page: Page, path: string): Promise<void> {
  await arrive(page, await confirmedPerson('importer'), path);
}

// FED-001..FED-006, FED-009..FED-013, FED-022, IMSV-001..IMSV-004, IMSV-007, IMSV-009, IMSV-010, CA2-006, CA2-007
test('What an importer saves and follows stays after a reload, and a saved car can be taken off again', async ({
  page,
}) => {
  test.slow();
  await importerAt(page, paths.importer.feed);
  const offer = page.getByRole('article', { name: 'Honda Vezel' });
  await offer.getByRole('button', { name: `${card.save} Honda Vezel` }).click();
  await expect(page.getByText(postToasts.saved.text('Honda Vezel'))).toBeVisible();
  await offer.getByRole('button', { name: new RegExp(`^${card.follow} `) }).click();
  await expect(page.getByText(/You are now following/)).toBeVisible();
  const opened = page.waitForEvent('popup');
  await offer.getByRole('link', { name: card.message }).click();
  await expect(await opened).toHaveURL(/\/agent\/profile\/[\da-f-]+\?intent=message$/);

  await page.reload();
  await expect(offer.getByRole('button', { name: `${card.saved} Honda Vezel` })).toBeVisible();
  await expect(offer.getByRole('button', { name: new RegExp(`^${card.following} `) })).toBeVisible();
  await page.getByRole('button', { name: feed.filters.followed }).click();
  await expect(page.getByRole('article')).toHaveCount(1);

  await page.getByRole('link', { name: feed.viewSaved }).click();
  await expect(page.getByText(savedCars.count(1))).toBeAttached();
  await expectAccessible(page);
  await page.getByRole('button', { name: `${savedCars.remove} Honda Vezel` }).click();
  await expect(page.getByText(savedCars.removed.text)).toBeVisible();
  await page.getByRole('link', { name: savedCars.empty.action }).click();
  await expect(page).toHaveURL(paths.importer.feed);
});

test.describe('when the service refuses', () => {
  test.use({ refusals: [/saved_posts|follows/] });

  // FED-014
  test('a save and a follow are taken back, with the documented words', async ({ page }) => {
    await importerAt(page, paths.importer.feed);
    await page.route(/rest\/v1\/(saved_posts|follows)/, (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
    );
    const offer = page.getByRole('article', { name: 'Honda Vezel' });
    await offer.getByRole('button', { name: `${card.save} Honda Vezel` }).click();
    await expect(page.getByText(postToasts.saveFailed)).toBeVisible();
    await expect(offer.getByRole('button', { name: `${card.save} Honda Vezel` })).toBeVisible();
    await offer.getByRole('button', { name: new RegExp(`^${card.follow} `) }).click();
    await expect(page.getByText(postToasts.followFailed)).toBeVisible();
    await expect(offer.getByRole('button', { name: new RegExp(`^${card.follow} `) })).toBeVisible();
  });
});

// IMC-001..IMC-008, IMC-011, IMC-014..IMC-016
test('Available cars are narrowed by price, tab and search, looked at in full, and lead to their agent', async ({
  page,
}) => {
  await importerAt(page, paths.importer.availableCars);
  const cars = page.getByRole('article');
  await expect(cars.first()).toBeVisible();
  await page.getByLabel(availableCars.price).selectOption('over20k');
  await expect(page.getByRole('article', { name: 'Toyota Crown' })).toBeVisible();
  await expect(page.getByRole('article', { name: 'Honda Vezel' })).toBeHidden();
  await page.getByLabel(availableCars.price).selectOption('any');
  await page.getByRole('tab', { name: /At Auction/ }).click();
  await expect(page.getByRole('article', { name: 'Toyota Crown' })).toBeVisible();
  await expect(page.getByRole('article', { name: 'Honda Vezel' })).toBeHidden();
  await page.getByRole('tab', { name: /^All/ }).click();
  await page.getByLabel(availableCars.search).fill('no such car');
  await expect(page.getByText(availableCars.empty.title)).toBeVisible();
  await page.getByLabel(availableCars.search).fill('vezel');
  await page.getByRole('button', { name: `${availableCars.details} Honda Vezel` }).click();
  const sheet = page.getByRole('dialog', { name: 'Honda Vezel' });
  await expect(sheet).toContainText(availableCars.sheet.condition);
  await expectAccessible(page);
  await sheet.getByRole('link', { name: availableCars.contact }).click();
  await expect(page).toHaveURL(/\/importer\/messages\?agent=/);
  await expect(page.getByText(messages.noMessages)).toBeVisible();
});

// IMA-001..IMA-007, IMA-009, IMA-011, IMA-012
test('The directory shows six verified agents, searches all of them and says when there is none', async ({
  page,
}) => {
  await importerAt(page, paths.importer.agents);
  const agents = page.getByRole('article');
  await expect(agents).toHaveCount(6);
  await expectAccessible(page);
  await page.getByLabel(directory.location, { exact: true }).selectOption('Tokyo');
  await expect(page.getByRole('article', { name: 'Kenji Tanaka' })).toBeVisible();
  await expect(page.getByRole('article', { name: 'Haruka Ito' })).toBeHidden();
  await page.getByLabel(directory.specialty, { exact: true }).selectOption('Commercial');
  await expect(page.getByText(directory.empty.title)).toBeVisible();
  await page.getByLabel(directory.location, { exact: true }).selectOption('');
  await page.getByLabel(directory.specialty, { exact: true }).selectOption('');
  await page.getByLabel(directory.search).fill('kenji');
  await expect(agents).toHaveCount(1);
  await agents.getByRole('link', { name: directory.profile }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Kenji Tanaka' })).toBeVisible();
});

// FED-023, ACP-021
test('On their own offer agents find its availability instead of Save and Follow', async ({ page }) => {
  await arrive(page, seededPerson('agent'), paths.agent.feed);
  const own = page
    .getByRole('article', { name: 'Toyota Aqua', exact: true })
    .filter({ hasText: card.yours })
    .last();
  await expect(own.getByRole('button', { name: new RegExp(card.save) })).toHaveCount(0);
  await own.getByRole('combobox', { name: new RegExp(ownPost.availability) }).selectOption('pending');
  await expect(own.getByText('Reserved', { exact: true }).first()).toBeVisible();
  await expect(page.getByText(ownPost.changed.title)).toBeVisible();
  await own.getByRole('combobox', { name: new RegExp(ownPost.availability) }).selectOption('available');
});
