import { expect, test as base } from 'minato-test/playwright';
import { serveApp } from './app.js';

const test = base.extend<object, { app: string }>({
  app: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { url, server } = await serveApp();
      await use(url);
      server.close();
    },
    { scope: 'worker' },
  ],
});

test.beforeEach(async ({ page, app, branch }) => {
  await branch.signIn(page, 'anna'); // before the app loads
  await page.goto(`${app}/?key=${branch.anonKey}`);
});

test('a lost answer leaves a paid cart behind', async ({ page, branch }) => {
  await branch.faults.add({ where: 'request', match: { table: 'carts' }, do: { drop: 'after' }, times: 1 });

  await page.getByRole('button', { name: 'Pay' }).click();

  await expect(page.getByRole('status')).toHaveText('try again');
  const { data } = await branch.admin.from('carts').select('paid');
  expect(data).toEqual([{ paid: true }]);
});

test('the page has the time of the branch', async ({ page, branch }) => {
  const { now } = await branch.clock.advance('7d');

  const seen = await page.evaluate(() => Date.now());

  expect(Math.abs(seen - now.getTime())).toBeLessThan(60_000);
});

test('a socket of the page joins the branch', async ({ page }) => {
  const opened = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const key = new URLSearchParams(location.search).get('key') ?? '';
        const socket = new WebSocket(`ws://127.0.0.1:54321/realtime/v1/websocket?apikey=${key}&vsn=1.0.0`);
        socket.onopen = () => resolve(socket.url);
        socket.onerror = () => resolve('nobody answers');
      }),
  );
  expect(opened).toContain('/b/');
});
