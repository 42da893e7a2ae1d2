/** The developer's console: how PostgreSQL runs a request, what it changed, and the request once more. */
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/test';

test.use({ isOnMain: true });

interface DevBranch {
  id: string;
  url: string;
  anon_key: string;
  service_role_key: string;
}

const DEEDS = `
create table public.deeds (id int primary key, note text);
alter table public.deeds enable row level security;
create policy "Members see deeds" on public.deeds for select to authenticated using (true);
grant select, insert on public.deeds to anon, authenticated, service_role;
alter publication supabase_realtime add table public.deeds;
notify pgrst`;

/** A backend with a table of its own, which members alone may read. */
async function branchWithDeeds(request: APIRequestContext): Promise<DevBranch> {
  const answer = await request.post('/_dev/v1/branches', { data: { label: 'console again' } });
  const branch = (await answer.json()) as DevBranch;
  const made = await request.post(`${branch.url}/_dev/v1/sql`, { data: { query: DEEDS } });
  expect(made.status(), await made.text()).toBe(200);
  return branch;
}

async function addDeed(request: APIRequestContext, branch: DevBranch, id: number): Promise<void> {
  const headers = { apikey: branch.service_role_key };
  const answer = await request.post(`${branch.url}/rest/v1/deeds`, { headers, data: { id, note: 'kept' } });
  expect(answer.status()).toBe(201);
}

const list = (page: Page) => page.getByRole('region', { name: 'Requests', exact: true });
const opened = (page: Page) => page.getByRole('article', { name: 'The request' });
const part = (page: Page, name: string) => opened(page).getByRole('region', { name, exact: true });

// Refusals are what some of these stories are about.
test.use({ refusals: [/_dev\/v1\/requests/] });

test('A write tells which rows it changed, and its plan runs it only when that is meant', async ({
  page,
  request,
}) => {
  const branch = await branchWithDeeds(request);
  await page.goto(`/_dev/requests?branch=${branch.id}`);
  // A branch follows its changes while somebody listens to them.
  const socket = `${branch.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${branch.anon_key}&vsn=1.0.0`;
  await page.evaluate(
    (url) =>
      new Promise((open) => {
        new WebSocket(url).onopen = open;
      }),
    socket,
  );
  // Changes flow when no transaction writes that began before, and the stories beside this one write thousands of rows.
  const settled = await request.post(`${branch.url}/_dev/v1/settle`, { data: { timeout: '60s' } });
  expect(settled.status(), await settled.text()).toBe(200);
  await addDeed(request, branch, 7);

  await list(page).getByRole('button', { name: 'POST 201 rest/deeds' }).click();
  await expect(part(page, 'Led to')).toContainText('INSERT public.deeds, 0 of 0 heard');
  await expect(part(page, 'Led to')).toContainText('id 7');

  await part(page, 'Plan').getByRole('button', { name: 'Plan' }).click();
  await expect(part(page, 'Plan')).toContainText('ModifyTable on deeds');
  await expect(part(page, 'Plan')).toContainText('Not run');
  await part(page, 'Plan').getByRole('button', { name: 'Analyze' }).click();
  await expect(part(page, 'Plan').getByRole('alert')).toContainText('The request writes');
  await part(page, 'Plan').getByRole('button', { name: 'Run it and undo it' }).click();
  await expect(part(page, 'Plan').getByRole('alert')).toContainText('duplicate key');
  await expectAccessible(page);
});

test('A read is analyzed, and sent again as somebody who sees more', async ({ page, request }) => {
  const branch = await branchWithDeeds(request);
  const email = 'anna.again@example.com';
  const member = { email, password: 'correct horse battery', email_confirm: true };
  const key = branch.service_role_key;
  const headers = { apikey: key, authorization: `Bearer ${key}` };
  const made = await request.post(`${branch.url}/auth/v1/admin/users`, { headers, data: member });
  expect(made.status()).toBe(200);
  await addDeed(request, branch, 1);
  await request.get(`${branch.url}/rest/v1/deeds?select=id,note`, { headers: { apikey: branch.anon_key } });
  await page.goto(`/_dev/requests?branch=${branch.id}`);
  await list(page).getByRole('button', { name: 'GET 200 rest/deeds' }).click();

  await part(page, 'Plan').getByRole('button', { name: 'Analyze' }).click();
  await expect(part(page, 'Plan')).toContainText('As anon.');
  await expect(part(page, 'Plan')).toContainText('expected');

  const again = part(page, 'Again');
  await again.getByRole('button', { name: 'Send again', exact: true }).click();
  await expect(again.getByRole('status')).toContainText('200');
  await expect(again.getByRole('region', { name: 'Body of the answer to it' })).toHaveText('[]');

  await again.getByRole('button', { name: 'Send again as …' }).click();
  await again.getByLabel('As', { exact: true }).selectOption('A user');
  await again.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(again.getByRole('alert')).toHaveText('Say who asks.');
  await again.getByLabel('Email, phone, id or name').fill('nobody.there@example.com');
  await again.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(again.getByRole('alert')).toContainText('nobody.there@example.com');
  await again.getByLabel('Email, phone, id or name').fill(email);
  await page.keyboard.press('Enter');
  await expect(again.getByRole('status')).toContainText(email);
  await expect(again.getByRole('region', { name: 'Body of the answer to it' })).toContainText('kept');
  await expectAccessible(page);

  await again.getByRole('link', { name: 'How it went' }).click();
  await expect(part(page, 'Caller')).toContainText(email);
  await expect(part(page, 'Answer, 1 row')).toBeVisible();
});

test.describe('in the dark, on a phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });

  test('What was not kept is not sent again, and a plan fits the page', async ({ page, request }) => {
    const branch = await branchWithDeeds(request);
    const headers = { apikey: branch.anon_key };
    const data = { email: 'not.kept@example.com', password: 'correct horse battery' };
    await request.post(`${branch.url}/auth/v1/signup`, { headers, data });
    await request.get(`${branch.url}/rest/v1/deeds?order=id`, { headers });
    await page.goto(`/_dev/requests?branch=${branch.id}`);
    await list(page)
      .getByRole('button', { name: /auth\/signup/ })
      .click();
    await part(page, 'Again').getByRole('button', { name: 'Send again', exact: true }).click();
    await expect(part(page, 'Again').getByRole('alert')).toContainText('say the body');
    await expect(part(page, 'Plan')).toHaveCount(0);
    await page.getByRole('link', { name: 'All requests' }).click();

    await list(page).getByRole('button', { name: 'GET 200 rest/deeds' }).click();
    await part(page, 'Plan').getByRole('button', { name: 'Plan' }).click();
    await expect(part(page, 'Plan')).toContainText('Result');
    await part(page, 'Again').getByRole('button', { name: 'Send again as …' }).click();
    await expectAccessible(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
  });
});
