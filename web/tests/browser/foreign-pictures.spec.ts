/** A picture at another server tells it who looks at which car: it is asked for when a reader wants it, not before. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { availableCars } from '@/copy/cars';
import { card, carPhoto } from '@/copy/posts';
import { insertRow, memberId } from './support/operator';
import { arrive, seededPerson } from './support/people';
import { openPictureHost, type PictureHost } from './support/picture-host';
import { expect, expectAccessible, test } from './support/test';

test.use({ refusals: [/missing\.png/] });

let elsewhere: PictureHost;
test.beforeEach(async () => {
  elsewhere = await openPictureHost();
});
test.afterEach(() => elsewhere.close());

async function importerAt(page: Page, path: string): Promise<void> {
  await arrive(page, seededPerson('importer'), path);
}

test('No other server hears of who looks at cars, saves and opens them, until a photo is asked for', async ({
  page,
  server,
}) => {
  test.slow();
  const { photo, host, asked } = elsewhere;
  const agentId = await memberId(server, seededPerson('agent').name);
  const car = { agent_id: agentId, car_name: 'Toyota', model: 'Tracked', cnf_price: 1 };
  await insertRow(server, 'agent_posts', {
    ...car,
    image_url: photo,
    image_urls: [photo, `${photo}?2`, `${photo}?3`],
  });
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  const offer = page.getByRole('article', { name: 'Toyota Tracked' });
  const show = (place = offer) => place.getByRole('button', { name: carPhoto.show(host) });

  await importerAt(page, paths.importer.feed);
  // The card says so at once; another page, opened afresh, is asked for when it is true.
  const kept = page.waitForResponse(
    (answer) => answer.url().includes('/rest/v1/saved_posts') && answer.request().method() === 'POST',
  );
  await offer.getByRole('button', { name: `${card.save} Toyota Tracked` }).click();
  await kept;
  await expect(offer.getByRole('button', { name: `${card.saved} Toyota Tracked` })).toBeVisible();
  await page.goto(paths.importer.savedCars);
  await expect(show()).toBeVisible();
  await page.goto(paths.importer.dashboard);
  await expect(page.getByText('Toyota Tracked').first()).toBeVisible();
  await page.goto(paths.importer.availableCars);
  await offer.getByRole('button', { name: availableCars.details }).click();
  const sheet = page.getByRole('dialog');
  await expect(show(sheet)).toHaveCount(3);
  await expectAccessible(page);
  expect([...hosts]).toEqual([new URL(server.site).host]);

  await show(sheet).nth(1).click();
  await expect.poll(() => asked.map(({ path }) => path)).toEqual(['/photo.svg?2']);
  await page.keyboard.press('Escape');
  await show().focus();
  await page.keyboard.press('Enter');
  const shown = offer.locator(`img[src="${photo}"]`);
  await expect(shown).toHaveJSProperty('complete', true);
  await expect(shown).not.toHaveJSProperty('naturalWidth', 0);
  await expect.poll(() => asked.map(({ path }) => path)).toEqual(['/photo.svg?2', '/photo.svg']);
  expect(asked.map(({ headers }) => [headers.referer, headers.cookie, headers.origin])).toEqual([
    [undefined, undefined, undefined],
    [undefined, undefined, undefined],
  ]);
  await expect(show()).toBeHidden();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`A photo at another server that does not load is replaced by the drawing and a sentence (phone, ${colorScheme})`, async ({
    page,
    server,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 844 });
    const agentId = await memberId(server, seededPerson('agent').name);
    const model = `Gone ${colorScheme}`;
    const car = { agent_id: agentId, car_name: 'Toyota', model, cnf_price: 1, image_url: elsewhere.missing };
    await insertRow(server, 'agent_posts', car);
    await importerAt(page, paths.importer.feed);
    const offer = page.getByRole('article', { name: `Toyota ${model}` });
    const show = offer.getByRole('button', { name: carPhoto.show(elsewhere.host) });
    await expect(show).toBeVisible();
    expect((await show.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await expectAccessible(page);
    await show.click();
    await expect(offer.getByText(carPhoto.failed(elsewhere.host))).toBeVisible();
    await expect(offer.getByRole('img', { name: `Toyota ${model}` })).toBeVisible();
    await expectAccessible(page);
  });
}

test('A script of the page may neither ask another server nor be one of another server', async ({
  browser,
  server,
}) => {
  // A window of its own: the refusals are said in the console.
  const context = await browser.newContext({ baseURL: server.site });
  const page = await context.newPage();
  await page.goto(paths.terms);
  const refused = await page.evaluate(async (address) => {
    const heard: string[] = [];
    addEventListener('securitypolicyviolation', (event) => heard.push(event.effectiveDirective));
    await fetch(address).catch(() => undefined);
    await new Promise((resolve) => {
      const script = Object.assign(document.createElement('script'), { src: address, onerror: resolve });
      document.head.append(script);
    });
    return heard;
  }, elsewhere.photo);
  expect(refused).toEqual(['connect-src', 'script-src-elem']);
  expect(elsewhere.asked).toEqual([]);
  await context.close();
});
