import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { postRequest } from '@/copy/requests';
import { confirmedPerson, signInThroughPage } from './support/people';
import { postRequestThroughPage } from './support/request';
import { expect, test } from './support/test';

test.use({ refusals: [/\/rest\/v1\/|\/auth\/v1\/|realtime/] });

// CA2-009, ER2-011
test('A service that is away for a while shows an error and another try, and signs nobody out', async ({
  page,
}) => {
  await signInThroughPage(page, await confirmedPerson('importer'));
  await expect(page).toHaveURL(paths.importer.dashboard);
  let isAway = true;
  await page.route('**/rest/v1/car_requests*', (route) =>
    isAway ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
  );
  await page.goto(paths.importer.requests);
  const again = page.getByRole('button', { name: app.tryAgain });
  // The library and the cache both try again before they give up.
  await expect(again).toBeVisible({ timeout: 60_000 });
  isAway = false;
  await again.click();
  await expect(page.getByRole('link', { name: 'Post First Request' })).toBeVisible();
});

// RLT-004, RLT-005
test('What was posted while the line was cut appears once it is back', async ({ page, newWindow }) => {
  test.slow();
  const sockets: { close: () => Promise<void> }[] = [];
  let isCut = false;
  await page.routeWebSocket(/realtime/, (socket) => {
    if (isCut) return void socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  await signInThroughPage(page, await confirmedPerson('agent'));
  await expect(page).toHaveURL(paths.agent.dashboard);
  await page.goto(`${paths.agent.feed}?tab=requests`);
  await expect(page.getByRole('article').first()).toBeVisible();
  isCut = true;
  await Promise.all(sockets.map((socket) => socket.close()));

  const importerPage = await newWindow();
  await signInThroughPage(importerPage, await confirmedPerson('importer'));
  await expect(importerPage).toHaveURL(paths.importer.dashboard);
  const model = `Probox ${Date.now()}`;
  await postRequestThroughPage(importerPage, model);
  const row = page.getByRole('article', { name: `Toyota ${model}` });
  await expect(row).toHaveCount(0);
  isCut = false;
  // The client tries again after 1, 2, 5 and then every 10 seconds.
  await expect(row).toBeVisible({ timeout: 40_000 });
});

test('A request is posted with the keyboard alone', async ({ page }) => {
  await signInThroughPage(page, await confirmedPerson('importer'));
  await expect(page).toHaveURL(paths.importer.dashboard);
  await page.goto(paths.importer.postRequest);
  await page.getByLabel(postRequest.fields.make).focus();
  const type = async (text: string) => {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  };
  await type('Toyota');
  await type('Sienta');
  await type('2015');
  await type('Good');
  await type('Hybrid');
  await type('Auto');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await type('Seven seats.');
  await type('7000');
  await type('9000');
  await type('Within 1 month');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Mombasa');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(paths.importer.requests);
  const request = page.getByRole('article', { name: 'Toyota Sienta' });
  await expect(request).toContainText('Mombasa');
  await expect(request).toContainText('Hybrid');
});
