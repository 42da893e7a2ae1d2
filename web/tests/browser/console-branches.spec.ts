/** The console's branches: made, looked at, moved in time, kept as snapshots, begun anew and dropped. */
import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from './support/console';
import { expect, test } from './support/test';

// The list is the whole server's: other stories make branches, too.
test.use({ ownServer: {}, refusals: [/\/_dev\/v1\/(branches|snapshots)$/] });
test.describe.configure({ mode: 'serial' });

async function dropAll(request: APIRequestContext): Promise<void> {
  const { branches } = (await (await request.get('/_dev/v1/branches')).json()) as {
    branches: { id: string }[];
  };
  for (const { id } of branches) await request.delete(`/_dev/v1/branches/${id}`);
}

const one = (page: Page) => page.getByRole('article', { name: 'Branch' });
const list = (page: Page) => page.getByRole('list', { name: 'Branches' });
const dialog = (page: Page) => page.getByRole('dialog');

test('A branch is made, opened, begun anew as its snapshot and dropped', async ({ page, request }) => {
  await dropAll(request);
  await page.goto('/_dev/branches');
  await expect(page.getByText("import { expect, test } from 'minato-test/vitest';")).toBeVisible();
  await expectAccessibleInBothThemes(page);

  await page.getByRole('button', { name: 'New branch …' }).click();
  await dialog(page).getByLabel('Name').fill('checkout');
  await dialog(page).getByLabel('Label').fill('a lost answer');
  await expectAccessibleInBothThemes(page);
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/_dev/branches/checkout');
  await expect(one(page).getByRole('heading', { name: 'checkout' })).toBeVisible();
  await expect(list(page).getByRole('link', { name: 'checkout' })).toContainText('MB');
  await expectAccessibleInBothThemes(page);

  await one(page).getByRole('button', { name: 'Snapshot' }).click();
  await dialog(page).getByLabel('Name').fill('paid');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('region', { name: 'Snapshots' })).toContainText('paid');

  await one(page).getByRole('button', { name: 'Reset' }).first().click();
  await dialog(page).getByLabel('Begins as').selectOption('snapshot paid');
  await dialog(page).getByRole('button', { name: 'Reset' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(one(page)).toContainText('snapshot paid');

  await one(page).getByRole('link', { name: 'Open' }).click();
  await expect(page).toHaveURL('/_dev/requests?branch=checkout');
  await page.goto('/_dev/branches/checkout');
  await one(page).getByRole('button', { name: 'Drop' }).click();
  await expectAccessibleInBothThemes(page);
  await dialog(page).getByRole('button', { name: 'Drop' }).click();
  await expect(page).toHaveURL('/_dev/branches');
  await expect(list(page).getByRole('listitem')).toHaveCount(1);
});

test('Its clock and its faults are told in the list, and made as usual again', async ({ page, request }) => {
  await request.post('/_dev/v1/branches', { data: { id: 'late', label: 'clock.spec.ts' } });
  await request.post('/b/late/_dev/v1/faults', {
    data: { where: 'request', match: { table: 'cars' }, do: { status: 503 }, times: 2 },
  });
  await page.goto('/_dev/branches/late');
  const line = list(page).getByRole('link', { name: 'late' });
  await expect(line).toContainText('1 fault');
  await one(page).getByRole('button', { name: '+1 d' }).click();
  // It stands while what falls due on the way is done.
  await expect(line).toContainText(/\+1 d|\+23 h/);
  await one(page).getByRole('button', { name: 'Stop it' }).click();
  await expect(line).toContainText('stopped');
  await expectAccessibleInBothThemes(page);
  await one(page).getByRole('region', { name: 'Clock' }).getByRole('button', { name: 'Reset' }).click();
  await one(page).getByRole('button', { name: 'Remove the fault' }).click();
  await expect(line).not.toContainText('stopped');
  await expect(line).not.toContainText('fault');
  await expect(one(page).getByText('Nothing goes wrong on purpose.')).toBeVisible();

  await one(page).getByRole('textbox', { name: 'Label' }).fill('kept for a look');
  await one(page).getByRole('textbox', { name: 'Time to live' }).fill('2h');
  await one(page).getByRole('button', { name: 'Save' }).click();
  await expect(line).toContainText('kept for a look');
  await expect(one(page)).toContainText('goes in 1 h');
  await request.delete('/_dev/v1/branches/late');
  await expect(page.getByRole('heading', { name: 'There is no branch “late”' })).toBeVisible();
});

test('What the server refuses is said where it was asked', async ({ page, request }) => {
  await request.post('/_dev/v1/branches', { data: { id: 'taken' } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/_dev/branches');
  await page.getByRole('button', { name: 'New branch …' }).click();
  await dialog(page).getByLabel('Name').fill('taken');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText('There is a branch "taken" already.');
  await dialog(page).getByLabel('Name').fill('free');
  await dialog(page).getByLabel('Time to live').fill('soon');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('"soon" is no duration');
  await expectAccessibleInBothThemes(page);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(list(page).getByRole('listitem')).toHaveCount(2);
});
