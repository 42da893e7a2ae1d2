import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { errors } from '@/copy/errors';
import { navigation } from '@/copy/navigation';
import { postRequest } from '@/copy/requests';
import { settings } from '@/copy/settings';
import { arrive, authClient, confirmedPerson, signInThroughPage, type Person } from './support/people';
import { postRequestThroughPage } from './support/request';
import { expect, test } from './support/test';

test.use({ refusals: [/\/rest\/v1\/|\/auth\/v1\/|realtime/] });

// CA2-009, ER2-011
test('A service that is away for a while shows an error and another try, and signs nobody out', async ({
  page,
}) => {
  await page.clock.install();
  await arrive(page, await confirmedPerson('importer'));
  let isAway = true;
  await page.route('**/rest/v1/car_requests*', (route) =>
    isAway ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
  );
  await page.goto(paths.importer.requests);
  const again = page.getByRole('button', { name: app.tryAgain });
  // The library and the cache both try again before they give up, after pauses that nobody here waits for.
  await expect(async () => {
    await page.clock.fastForward('00:05');
    await again.click({ timeout: 500 });
  }).toPass();
  // Not before the click: a page whose channel is joined late asks by itself, and then there is no button any more.
  isAway = false;
  await expect(async () => {
    await page.clock.fastForward('00:05');
    await expect(page.getByRole('link', { name: 'Post First Request' })).toBeVisible({ timeout: 500 });
  }).toPass();
});

// SES-011 SES-038
test('A refresh that is answered 503 signs nobody out, and the next one goes on', async ({ page }) => {
  await page.clock.install();
  await arrive(page, await confirmedPerson('importer'));
  const before = await storedSession(page);
  let isAway = true;
  await page.route('**/auth/v1/token?grant_type=refresh_token', (route) =>
    isAway ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
  );
  const refused = page.waitForResponse((answer) => answer.status() === 503);
  await page.clock.fastForward('01:01:00');
  await refused;
  await expect(page).toHaveURL(paths.importer.dashboard);
  expect(await storedSession(page)).toBe(before);
  isAway = false;
  // Past the library's back-off and the pause it makes after a failure.
  await page.clock.fastForward('01:00');
  await expect.poll(() => storedSession(page)).not.toBe(before);
  await page.getByRole('link', { name: navigation.importer.requests }).click();
  await expect(page.getByRole('link', { name: 'Post First Request' })).toBeVisible();
});

// SES-037
test('A session that was ended elsewhere takes an open page out at the next thing it asks of the service', async ({
  page,
}) => {
  const importer = await confirmedPerson('importer');
  await arrive(page, importer, paths.importer.settings);
  await page.getByLabel(settings.password.current, { exact: true }).fill(importer.password);
  await page.getByLabel(settings.password.next, { exact: true }).fill('a new battery staple');
  await page.getByLabel(settings.password.confirm, { exact: true }).fill('a new battery staple');
  await page.evaluate(() => ['agentData', 'importerData'].forEach((key) => localStorage.setItem(key, '{}')));
  await endSessionsElsewhere(importer);
  const refused = page.waitForResponse(/\/auth\/v1\/user/);
  await page.getByRole('button', { name: settings.password.submit }).click();
  expect(await (await refused).json()).toMatchObject({ code: 'session_not_found' });
  await expect(page.getByText(errors.notAuthenticated)).toBeVisible();
  await expect(page).toHaveURL(paths.auth);
  expect(await storedSession(page)).toBeNull();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('Data')))).toEqual(
    [],
  );
  await signInThroughPage(page, importer);
  await expect(page).toHaveURL(paths.importer.dashboard);
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
  // What the page asks for once it has joined may be under way when the line is cut.
  await page.route(/\/rest\/v1\//, (route) => (isCut ? route.abort() : route.continue()));
  await arrive(page, await confirmedPerson('agent'), `${paths.agent.feed}?tab=requests`);
  await expect(page.getByRole('article').first()).toBeVisible();
  isCut = true;
  await Promise.all(sockets.map((socket) => socket.close()));

  const importerPage = await newWindow();
  await arrive(importerPage, await confirmedPerson('importer'));
  const model = `Probox ${Date.now()}`;
  await postRequestThroughPage(importerPage, model);
  const row = page.getByRole('article', { name: `Toyota ${model}` });
  await expect(row).toHaveCount(0);
  isCut = false;
  // The client tries again after 1, 2, 5 and then every 10 seconds.
  await expect(row).toBeVisible({ timeout: 40_000 });
});

test('A request is posted with the keyboard alone', async ({ page }) => {
  await arrive(page, await confirmedPerson('importer'), paths.importer.postRequest);
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

async function endSessionsElsewhere({ email, password }: Person): Promise<void> {
  const elsewhere = authClient();
  const signIn = await elsewhere.signInWithPassword({ email, password });
  expect(signIn.error).toBeNull();
  const { error } = await elsewhere.signOut({ scope: 'global' });
  expect(error).toBeNull();
}

/** As the library keeps it; null after the person was signed out. */
function storedSession(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => /^sb-.+-auth-token$/.test(name));
    return key ? localStorage.getItem(key) : null;
  });
}
