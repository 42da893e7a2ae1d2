/** A picture at another server would tell it who looks at which car: none is asked for. */
import { paths } from '@/config/paths';
import { insertRow, memberId } from './support/operator';
import { seededPerson, signInThroughPage } from './support/people';
import { expect, test } from './support/test';

const TRACKER = 'http://tracker.example/pixel.png';

test.use({ ownServer: {} });

test('Cars with pictures at other servers are shown with the drawing, and no other server hears of it', async ({
  page,
  server,
}) => {
  const agentId = await memberId(server, seededPerson('agent').name);
  const car = { agent_id: agentId, car_name: 'Toyota', model: 'Tracked', cnf_price: 1 };
  await insertRow(server, 'agent_posts', {
    ...car,
    image_url: TRACKER,
    image_urls: [TRACKER, `${TRACKER}?2`],
  });
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));

  await signInThroughPage(page, seededPerson('importer'));
  await expect(page).toHaveURL(paths.importer.dashboard);
  for (const path of [paths.importer.availableCars, paths.importer.feed]) {
    await page.goto(path);
    await expect(page.getByText('Toyota Tracked').first()).toBeVisible();
  }
  expect([...hosts]).toEqual([new URL(server.url).host]);
});

test('The page itself may not load a picture of another server', async ({ browser, server }) => {
  // A window of its own: the refusal is said in the console.
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await page.goto(paths.terms);
  const refused = await page.evaluate(
    (src) =>
      new Promise<string>((resolve) => {
        addEventListener('securitypolicyviolation', (event) => resolve(event.blockedURI));
        document.body.append(Object.assign(new Image(), { src }));
      }),
    TRACKER,
  );
  expect(refused).toBe(TRACKER);
  await context.close();
});
