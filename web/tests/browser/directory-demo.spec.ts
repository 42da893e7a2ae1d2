/** Looking for an agent and for a car among as many as the demonstration has. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { availableCars } from '@/copy/cars';
import { directory } from '@/copy/directory';
import { arrive, seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ ownServer: { seed: 'demo' } });

const AGENTS_PER_PAGE = 6;

async function open(page: Page, path: string): Promise<void> {
  await arrive(page, seededPerson('importer'), path);
  await expect(cards(page).first()).toBeVisible();
}

function cards(page: Page) {
  return page.getByRole('main').getByRole('article');
}

/** The numbers of 'Showing 6 of 197 agents'. */
async function figures(page: Page): Promise<{ shown: number; total: number }> {
  const text = await page.getByRole('status').filter({ hasText: 'Showing' }).innerText();
  const [shown = 0, total = 0] = (text.match(/\d+/g) ?? []).map(Number);
  return { shown, total };
}

// PR2-006 IMA-001..IMA-005 IMA-007 IMA-009 IMA-011
test('The directory shows six agents, then six more, and narrows by place, specialty and name', async ({
  page,
}) => {
  await open(page, paths.importer.agents);
  await expect(cards(page)).toHaveCount(AGENTS_PER_PAGE);
  const everybody = await figures(page);
  expect(everybody.shown).toBe(AGENTS_PER_PAGE);
  expect(everybody.total).toBe(197);
  await expectAccessible(page);
  await page.getByRole('button', { name: directory.more }).click();
  await expect(cards(page)).toHaveCount(2 * AGENTS_PER_PAGE);
  expect((await figures(page)).total).toBe(everybody.total);

  await page.getByLabel(directory.location, { exact: true }).selectOption('Osaka');
  await expect.poll(() => figures(page)).toMatchObject({ shown: AGENTS_PER_PAGE });
  const inOsaka = await figures(page);
  expect(inOsaka.total).toBeLessThan(everybody.total);
  for (const card of await cards(page).all()) await expect(card).toContainText('Osaka');

  await page.getByLabel(directory.specialty, { exact: true }).selectOption('Toyota');
  await expect.poll(async () => (await figures(page)).total).toBeLessThan(inOsaka.total);
  for (const card of await cards(page).all()) {
    await expect(card).toContainText('Osaka');
    await expect(card.getByRole('list')).toContainText('Toyota');
  }

  await page.getByLabel(directory.search).fill('nobody of that name');
  await expect(page.getByText(directory.empty.title)).toBeVisible();
  await expect(page.getByText(directory.empty.text)).toBeVisible();
  await expect(cards(page)).toHaveCount(0);
  await expectAccessible(page);

  await page.getByLabel(directory.location, { exact: true }).selectOption('');
  await page.getByLabel(directory.specialty, { exact: true }).selectOption('');
  await page.getByLabel(directory.search).fill('Kenji Tanaka');
  await expect(cards(page).first()).toHaveAccessibleName('Kenji Tanaka');
  await cards(page).first().getByRole('link', { name: directory.contact }).click();
  await expect(page).toHaveURL(new RegExp(`${paths.importer.messages}\\?agent=`));
  await expect(page.getByText('Kenji Tanaka').first()).toBeVisible();
});

// PR2-006 IMC-002 IMC-003 IMC-005 IMC-008 IMC-012 IMC-014 IMC-016
test('The cars on offer narrow by price, make and words, and their agent is one press away', async ({
  page,
}) => {
  await open(page, paths.importer.availableCars);
  const { total } = await figures(page);
  for (const [range, fits] of [
    ['under15k', (price: number) => price < 15_000],
    ['from15kTo20k', (price: number) => price >= 15_000 && price <= 20_000],
    ['over20k', (price: number) => price > 20_000],
  ] as const) {
    await page.getByLabel(availableCars.price, { exact: true }).selectOption(range);
    await expect.poll(async () => (await figures(page)).shown).toBeLessThan(total);
    // The cars of the choice before stay until those of this one are here.
    await expect(async () => {
      const prices = await shownPrices(page);
      expect(prices.length, range).toBeGreaterThan(0);
      expect(
        prices.filter((price) => !fits(price)),
        range,
      ).toEqual([]);
    }).toPass();
  }
  await page.getByLabel(availableCars.price, { exact: true }).selectOption('any');
  await page.getByLabel(availableCars.make, { exact: true }).selectOption('Toyota');
  await expect(async () => {
    for (const car of await cards(page).all())
      await expect(car).toHaveAccessibleName(/^Toyota /, { timeout: 1_000 });
  }).toPass();
  await page.getByLabel(availableCars.search).fill('no such car');
  await expect(page.getByText(availableCars.empty.title)).toBeVisible();
  await expect(page.getByText(availableCars.empty.text)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel(availableCars.search).fill('');
  await cards(page).first().getByRole('link', { name: availableCars.contact }).click();
  await expect(page).toHaveURL(new RegExp(`${paths.importer.messages}\\?agent=`));
});

async function shownPrices(page: Page): Promise<number[]> {
  const texts = await cards(page).allInnerTexts();
  return texts.map((text) => Number(/\$([\d,]+)/.exec(text)?.[1]?.replaceAll(',', '')));
}
