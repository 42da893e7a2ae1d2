import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { importOffers as copy } from '@/copy/import-offers';
import { newPost } from '@/copy/posts';
import { arrive, confirmedPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

// The file that is no list.
test.use({ refusals: [/functions\/v1\/import-offers/] });

const HEAD = 'Ref No;Maker;Model;Year;Odometer;Price;FOB\r\n';

async function choose(page: Page, name: string, content: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: copy.file.label }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

test('An agent imports a list, sees its mistakes before, and finds the cars in the feed', async ({
  page,
}) => {
  const mark = String(Date.now());
  const list = `${HEAD}A1;Toyota;Aqua ${mark};2017;85,000 km;4900;1\r\nA2;Mazda;Demio ${mark};soon;62000;5300;1\r\n`;
  await arrive(page, await confirmedPerson('agent'), paths.agent.feed);
  await page.getByRole('link', { name: newPost.importList }).click();
  await expect(page.getByRole('heading', { level: 1, name: copy.title })).toBeFocused();
  await expectAccessible(page);

  await choose(page, 'stock.csv', list);
  await expect(page.getByRole('heading', { name: copy.preview.title('stock.csv') })).toBeFocused();
  const wrong = page.getByRole('region', { name: copy.rows.wrong });
  await expect(wrong.getByText('“soon” is not a year')).toBeVisible();
  await expect(wrong.getByText(copy.rows.number(3))).toBeVisible();
  await expect(page.getByText(copy.preview.ignored('FOB'))).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: copy.preview.submit(1) }).click();
  await expect(page.getByRole('heading', { name: copy.result.title(1) })).toBeFocused();
  await expect(page.getByText(copy.result.text(0, 1))).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: copy.result.feed }).click();
  await expect(page.getByRole('article', { name: `Toyota Aqua ${mark}` })).toBeVisible();
  await expect(page.getByRole('article', { name: `Mazda Demio ${mark}` })).toBeHidden();

  await page.goto(paths.agent.importPosts);
  await choose(page, 'stock.csv', list);
  await expect(page.getByText(copy.preview.nothing)).toBeVisible();
  await expect(page.getByRole('region', { name: copy.rows.there })).toContainText(`Aqua ${mark}`);
});

test('The template is a list that may be imported as it is', async ({ page }) => {
  await arrive(page, await confirmedPerson('agent'), paths.agent.importPosts);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: copy.file.template }).click();
  const template = readFileSync(await (await download).path(), 'utf8');
  await choose(page, copy.file.templateName, template);
  await expect(page.getByRole('button', { name: copy.preview.submit(1) })).toBeVisible();
  await expect(page.getByText(/These columns are not read/)).toBeHidden();
});

test('A file that is no list is refused with its reason, and the next one is read', async ({ page }) => {
  await arrive(page, await confirmedPerson('agent'), paths.agent.importPosts);
  await choose(page, 'stock.xlsx', 'PK');
  await expect(page.getByRole('alert')).toContainText(copy.file.type);
  await choose(page, 'stock.csv', 'PK\u0003\u0004');
  await expect(page.getByRole('alert')).toContainText('This is a workbook or a PDF');
  await choose(page, 'stock.csv', 'Car;Price\r\nAqua;1\r\n');
  await expect(page.getByRole('alert')).toContainText('none is called');
  await expectAccessible(page);
  await choose(page, 'stock.csv', `${HEAD}B1;Honda;Fit;2015;1;1;1\r\n`);
  await expect(page.getByRole('button', { name: copy.preview.submit(1) })).toBeVisible();
});

test.describe('without a line', () => {
  // Whatever the page reads by itself meanwhile fails as well.
  test.use({ refusals: [/\/(functions|rest)\/v1\//] });

  test('Who loses the line reads so, and may try again', async ({ page, context }) => {
    await arrive(page, await confirmedPerson('agent'), paths.agent.importPosts);
    await choose(page, 'stock.csv', `${HEAD}C1;Honda;Fit;2015;1;1;1\r\n`);
    const submit = page.getByRole('button', { name: copy.preview.submit(1) });
    await expect(submit).toBeVisible();
    await context.setOffline(true);
    await submit.click();
    await expect(page.getByRole('alert').filter({ hasText: copy.file.refused('stock.csv') })).toBeVisible();
    await context.setOffline(false);
    await page.getByRole('button', { name: copy.retry }).click();
    await expect(page.getByRole('heading', { name: copy.result.title(1) })).toBeVisible();
  });
});
