/** The console of a server whose address has a path, as behind a proxy that takes it away. */
import { expect, test } from './support/test';

test.use({ ownServer: { path: '/tools/minato' } });

test('It finds its files and its calls below that path, and each view has its address there', async ({
  page,
  request,
  server,
}) => {
  expect(new URL(server.url).pathname).toBe('/tools/minato');
  await page.goto(`${server.url}/_dev/`);
  await expect(page).toHaveURL(`${server.url}/_dev/requests`);
  await expect(page.getByText('Live')).toBeVisible();

  await request.get(`${server.url}/auth/v1/settings`, { headers: { apikey: server.anon_key } });
  await page.getByRole('button', { name: 'GET 200 auth/settings' }).click();
  await expect(page.getByRole('article', { name: 'The request' })).toContainText('/auth/v1/settings');

  await page.getByRole('link', { name: 'Branches' }).click();
  await expect(page).toHaveURL(`${server.url}/_dev/branches`);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Branches' })).toBeVisible();
});
