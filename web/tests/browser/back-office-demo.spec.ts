/** The documents' figures, as the demo seed makes them true. */
import { readFile } from 'node:fs/promises';
import { paths } from '@/config/paths';
import { adminAgents, adminList } from '@/copy/back-office';
import { csvFile } from '@/copy/back-office-csv';
import { adminDashboard, analytics } from '@/copy/back-office-figures';
import { adminSettings } from '@/copy/back-office-settings';
import { navigation } from '@/copy/navigation';
import { NO_PROFILE, show, signInAsAdmin, tab } from './support/administrator';
import { expect, expectAccessible, test } from './support/test';

test.use({ refusals: [NO_PROFILE], ownServer: { seed: 'demo' } });

// ADD-006 ADL-004 PR2-005 ADN-013
test('247 agents, 12 of them pending, in 45 countries', async ({ page }) => {
  await signInAsAdmin(page);
  const tile = (label: string) =>
    page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) });
  await expect(tile(adminDashboard.tiles.total_agents)).toContainText('247');
  await expect(tile(adminDashboard.tiles.pending_agents)).toContainText('12');
  await expect(tile(adminDashboard.tiles.total_importers)).toContainText('45 countries');
  await page.goto(paths.admin.agents);
  await expect(tab(page, adminAgents.tabs.all)).toContainText('247');
  await expect(tab(page, adminAgents.tabs.pending)).toContainText('12');
  await expect(page.getByText(adminList.shown(25, 247))).toBeVisible();
  await page.getByRole('button', { name: adminList.more }).click();
  await expect(page.getByText(adminList.shown(50, 247))).toBeVisible();
});

test('A list is ordered over all its rows, and its file holds all of them', async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto(`${paths.admin.agents}?sort=agent`);
  const rows = page.getByRole('table').getByRole('button', { name: /^Open / });
  await expect(rows.first()).toHaveAccessibleName(adminList.open('Aiko Nakamura'));
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: csvFile.export }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
  expect(lines).toHaveLength(248);
  expect(lines[1]).toMatch(/^Aiko Nakamura,.*,2000,4\.9,8$/);
});

// ADN-001..ADN-013 ADN-015 ADN-016 ADN-018 ADN-019
test('Analytics show what the documents show, and the report holds the same figures', async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto(paths.admin.analytics);
  await expect(page.getByRole('heading', { level: 1, name: 'Platform Analytics' })).toBeVisible();
  for (const label of Object.values(analytics.cards)) {
    await expect(page.locator('dt').filter({ hasText: label }).first()).toBeVisible();
  }
  await expect(page.locator('dl > div').filter({ hasText: analytics.cards.global_reach })).toContainText(
    /45\s*countries served/,
  );
  await page.getByRole('button', { name: analytics.explain(analytics.cards.total_revenue) }).click();
  await expect(page.getByText(analytics.meaning.total_revenue)).toBeVisible();
  await page.keyboard.press('Escape');

  const trend = page.getByRole('region', { name: analytics.trend });
  const bars = (await trend.getByRole('img', { name: analytics.trend }).getAttribute('aria-label')) ?? '';
  for (const month of ['January', 'February', 'March', 'April', 'May', 'June', 'July'])
    expect(bars).toContain(month);
  await expect(trend.getByText(analytics.trendScale('$300,000'))).toBeVisible();
  await trend.getByRole('button', { name: analytics.asTable }).click();
  await expect(trend.getByRole('row')).toHaveCount(8);
  for (const text of Object.values(analytics.activity)) await expect(page.getByText(text)).toBeVisible();
  await expectAccessible(page);

  await show(tab(page, analytics.tabs.categories));
  for (const category of ['Sports Cars', 'Luxury Sedans', 'Classic JDM', 'Supercars', 'Motorcycles']) {
    await expect(page.getByRole('rowheader', { name: category })).toBeVisible();
  }
  await show(tab(page, analytics.tabs.geographic));
  await expect(page.getByRole('columnheader', { name: analytics.columns.percentage }).first()).toBeVisible();
  await show(tab(page, analytics.tabs.performers));
  for (const title of [analytics.topAgents, analytics.topImporters]) {
    await expect(page.getByRole('region', { name: title }).getByRole('row')).toHaveCount(6);
  }
  await expect(page.getByText(/^down -\d+%$/).first()).toBeVisible();
  await expectAccessible(page);

  const agents = await page
    .getByRole('region', { name: analytics.topAgents })
    .getByRole('rowheader')
    .allInnerTexts();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: analytics.exportReport }).click();
  const report = await readFile(await (await download).path(), 'utf8');
  for (const name of agents) expect(report).toContain(name);
  expect(report).toContain(`${analytics.trend}\r\nMonth,Revenue (USD),Users,Requests\r\nJanuary,142000,`);
});

// PR2-004 PR2-006
test('Each part of the back office is one press away and holds what the installation has', async ({
  page,
}) => {
  await signInAsAdmin(page);
  const menu = page.getByRole('navigation', { name: navigation.label.admin });
  const content = page.getByRole('main');
  for (const [name, holds] of [
    ['agents', content.getByRole('button', { name: /^Open / }).first()],
    ['importers', content.getByRole('button', { name: /^Open / }).first()],
    ['requests', content.getByRole('button', { name: /^Open / }).first()],
    ['messages', content.getByRole('button', { name: /^Open / }).first()],
    ['analytics', content.getByRole('region', { name: analytics.trend })],
    ['audit', content.getByRole('tab', { name: /^All/ })],
    ['settings', content.getByRole('heading', { name: adminSettings.moderation.title })],
  ] as const) {
    await menu.getByRole('link', { name: navigation.admin[name], exact: true }).click();
    await expect(page).toHaveURL(paths.admin[name]);
    await expect(holds).toBeVisible();
  }
});

// ADN-002 ADN-017
test('Another window gives other figures, and a window without deals says so', async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto(paths.admin.analytics);
  const revenue = page.locator('dl > div').filter({ hasText: analytics.cards.total_revenue });
  await expect(revenue).toContainText('$');
  const before = await revenue.innerText();
  await page.getByRole('button', { name: analytics.range }).click();
  await page.getByRole('button', { name: analytics.presets.month }).click();
  await expect.poll(() => revenue.innerText()).not.toBe(before);
  await page.getByRole('button', { name: analytics.range }).click();
  await page.getByLabel(analytics.from).fill('2001-01-01');
  await page.getByLabel(analytics.to, { exact: true }).fill('2000-01-01');
  await expect(page.getByText(analytics.invalid)).toBeVisible();
  await page.getByLabel(analytics.to, { exact: true }).fill('2001-01-31');
  await page.getByRole('button', { name: analytics.apply, exact: true }).click();
  await expect(page.getByText(analytics.empty).first()).toBeVisible();
  await expect(revenue).toContainText('$0');
});
