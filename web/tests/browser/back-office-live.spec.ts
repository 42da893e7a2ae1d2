/** The back office follows what happens while it is open. */
import { randomUUID } from 'node:crypto';
import { paths } from '@/config/paths';
import { adminList } from '@/copy/back-office';
import { NO_PROFILE, signInAsAdmin } from './support/administrator';
import { openLive } from './support/live';
import { arrive, confirmedPerson } from './support/people';
import { postRequestThroughPage } from './support/request';
import { expect, test } from './support/test';

test.use({ refusals: [NO_PROFILE] });

test('A request that is posted shows in an open list without a reload', async ({ page, newWindow }) => {
  const model = `Aqua ${randomUUID()}`;
  const importer = await confirmedPerson('importer');
  const desk = await newWindow();
  await arrive(desk, importer);
  await signInAsAdmin(page);
  await openLive(page, `${paths.admin.requests}?search=${encodeURIComponent(model)}`, 'office_request_cases');
  await expect(page.getByText(adminList.empty.title)).toBeVisible();
  await postRequestThroughPage(desk, model);
  await expect(page.getByRole('button', { name: adminList.open(`Toyota ${model}`) })).toBeVisible();
});

test('A list asks for little and draws little', async ({ page }) => {
  await signInAsAdmin(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'OPTIONS' && request.url().includes('/rest/v1/')) asked.push(request.url());
  });
  const { agents, importers, requests, messages, mails, audit } = paths.admin;
  for (const path of [agents, importers, requests, messages, mails, audit]) {
    asked.length = 0;
    await openLive(page, path, 'office_admin_audit_log');
    const rows = page.getByRole('main').getByText(/^Showing /);
    await expect(rows.or(page.getByText(adminList.empty.title)).first()).toBeVisible();
    expect(asked.length, `${path}: ${asked.join(' ')}`).toBeLessThanOrEqual(3);
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    expect(nodes, path).toBeLessThanOrEqual(1500);
  }
});
