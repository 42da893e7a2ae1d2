/** The developer's console: what was asked appears, explains itself, and stays where one looks. */
import type { APIRequestContext, Page } from '@playwright/test';
import { seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ isOnMain: true });

interface DevBranch {
  id: string;
  url: string;
  anon_key: string;
}

/** A backend of the test's own, so that nothing else is asked of it. */
async function newBranch(request: APIRequestContext): Promise<DevBranch> {
  const answer = await request.post('/_dev/v1/branches', { data: { label: 'console' } });
  expect(answer.status()).toBe(201);
  return (await answer.json()) as DevBranch;
}

const list = (page: Page) => page.getByRole('region', { name: 'Requests', exact: true });
const opened = (page: Page) => page.getByRole('article', { name: 'The request' });

test('A request appears as it is answered, and a refusal says which policy refused', async ({
  page,
  request,
  server,
}) => {
  const apikey = server.anon_key;
  const { email, password } = seededPerson('importer');
  const signIn = { headers: { apikey }, data: { email, password } };
  const session = await request.post('/auth/v1/token?grant_type=password', signIn);
  const { access_token: token } = (await session.json()) as { access_token: string };

  await page.goto('/_dev/requests?q=status:403+table:messages');
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  const nobody = '00000000-0000-4000-8000-000000000000';
  const row = { sender_id: nobody, receiver_id: nobody, content: 'Not mine.' };
  const headers = { apikey, authorization: `Bearer ${token}` };
  const answer = await request.post('/rest/v1/messages', { headers, data: row });
  expect(answer.status()).toBe(403);

  await list(page).getByRole('button', { name: 'POST 403 rest/messages' }).first().click();
  const why = opened(page).getByRole('region', { name: 'Why' });
  await expect(why).toContainText('sender_id');
  await expect(why.getByText(`sender_id is ${nobody}`, { exact: true })).toBeVisible();
  await expect(opened(page).getByRole('region', { name: 'Caller' })).toContainText(email);
  await expect(opened(page).getByRole('region', { name: 'SQL' })).toContainText('INSERT INTO');
  await expectAccessible(page);

  await page.reload();
  await expect(why).toContainText('sender_id');
  await expect(page.getByLabel('Filter')).toHaveValue('status:403 table:messages');
});

test('An empty answer tells why when it is asked', async ({ page, request }) => {
  const branch = await newBranch(request);
  await request.get(`${branch.url}/rest/v1/car_requests?id=eq.00000000-0000-4000-8000-000000000000`, {
    headers: { apikey: branch.anon_key },
  });
  await page.goto(`/_dev/requests?branch=${branch.id}`);
  await list(page)
    .getByRole('button', { name: /^GET \d+ rest\/car_requests/ })
    .click();
  await opened(page).getByRole('button', { name: /^Why/ }).click();
  await expect(
    opened(page).getByRole('region', { name: 'Why' }).getByRole('paragraph').first(),
  ).not.toBeEmpty();
});

test('Of another branch nothing is heard, and what comes while one reads waits', async ({
  page,
  request,
  server,
}) => {
  const branch = await newBranch(request);
  await page.goto(`/_dev/?branch=${branch.id}`);
  await expect(page.getByText('Nothing was asked yet')).toBeVisible();
  await expectAccessible(page);
  const apikey = branch.anon_key;
  await request.get('/rest/v1/car_requests?select=id', {
    headers: { apikey: server.anon_key },
  });
  await request.get(`${branch.url}/auth/v1/settings`, { headers: { apikey } });
  const line = list(page).getByRole('button', { name: /auth\/settings/ });
  await expect(line).toHaveCount(1);
  await expect(list(page).getByRole('listitem')).toHaveCount(1);

  await line.click();
  await request.get(`${branch.url}/auth/v1/health`, { headers: { apikey } });
  await expect(list(page).getByRole('button', { name: '1 new' })).toBeVisible();
  await expect(list(page).getByRole('listitem')).toHaveCount(1);
  await list(page).getByRole('button', { name: '1 new' }).click();
  await expect(list(page).getByRole('listitem')).toHaveCount(2);
});

test('Keys lead through it, and the clock that they stop is told and set right', async ({
  page,
  request,
}) => {
  const branch = await newBranch(request);
  const headers = { apikey: branch.anon_key };
  await request.get(`${branch.url}/auth/v1/settings`, { headers });
  await request.get(`${branch.url}/auth/v1/health`, { headers });
  await page.goto(`/_dev/requests?branch=${branch.id}`);
  await expect(list(page).getByRole('listitem')).toHaveCount(2);

  await page.keyboard.press('j');
  await expect(opened(page)).toContainText('/auth/v1/health');
  await page.keyboard.press('j');
  await expect(opened(page)).toContainText('/auth/v1/settings');
  await page.keyboard.press('Escape');
  await expect(opened(page)).toHaveCount(0);
  await page.keyboard.press('/');
  await page.keyboard.type('health');
  await expect(list(page).getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('stop the clock');
  await page.keyboard.press('Enter');
  const chip = page.getByRole('button', { name: /Stopped/ });
  await expect(chip).toBeVisible();
  await expectAccessible(page);
  await chip.click();
  await expect(chip).toHaveCount(0);
});

test.describe('without an answer', () => {
  test.use({ refusals: [/_dev\/v1/] });

  test('A line that is lost comes back by itself with what was missed', async ({
    page,
    request,
    context,
  }) => {
    const branch = await newBranch(request);
    await page.goto(`/_dev/requests?branch=${branch.id}`);
    const live = page.getByRole('status').filter({ hasText: 'Live' });
    await expect(live).toBeVisible();
    await context.setOffline(true);
    // A stream that stands is not cut by that: the next one is not begun.
    await page.reload().catch(() => undefined);
    await context.setOffline(false);
    await request.get(`${branch.url}/auth/v1/health`, { headers: { apikey: branch.anon_key } });
    await page.goto(`/_dev/requests?branch=${branch.id}`);
    await expect(live).toBeVisible();
    await expect(list(page).getByRole('listitem')).toHaveCount(1);
  });

  test('Who may not look is told what helps, and a request that is forgotten says so', async ({ page }) => {
    await page.goto('/_dev/requests/00000000-0000-4000-8000-000000000000');
    await expect(page.getByRole('alert')).toContainText('There is no request');
    const refusal = { code: 'wrong_host', message: 'For a person at this machine only' };
    await page.route('**/_dev/v1/events*', (route) => route.fulfill({ status: 403, json: refusal }));
    await page.goto('/_dev/requests');
    await expect(page.getByRole('alert')).toContainText('127.0.0.1 or localhost');
    await expectAccessible(page);
  });
});

test.describe('in the dark, on a phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });

  test('The list and a request each have the page to themselves', async ({ page, request }) => {
    const branch = await newBranch(request);
    await request.get(`${branch.url}/auth/v1/settings`, { headers: { apikey: branch.anon_key } });
    await page.goto(`/_dev/requests?branch=${branch.id}`);
    await expectAccessible(page);
    await list(page)
      .getByRole('button', { name: /auth\/settings/ })
      .click();
    await expect(opened(page)).toBeVisible();
    await expect(list(page)).toBeHidden();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All requests' }).click();
    await expect(list(page)).toBeVisible();
  });
});
