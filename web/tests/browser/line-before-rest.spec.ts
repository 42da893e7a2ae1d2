import { paths } from '@/config/paths';
import { recovery } from '@/copy/auth';
import { landing } from '@/copy/landing';
import { messages as copy } from '@/copy/messages';
import { arrive, confirmedPerson } from './support/people';
import { expect, test } from './support/test';

test.use({ refusals: [/\/rest\/v1\/|\/assets\/|\/flags\/|realtime/] });

/** What comes when the browser rests is asked for now, and without a line it is not asked for at all. */
const rest = () => (window as unknown as { rest: () => void }).rest();
const restOnDemand = () => {
  const waiting: IdleRequestCallback[] = [];
  window.requestIdleCallback = (act) => waiting.push(act);
  Object.assign(window, {
    rest: () => waiting.splice(0).forEach((act) => act({ didTimeout: true, timeRemaining: () => 0 })),
  });
};

test('Who loses the line before the page has come to rest has everything once it is back', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on(
    'request',
    (request) => /\/assets\/(toaster|ask-ahead)-/.test(request.url()) && asked.push(request.url()),
  );
  await arrive(page, await confirmedPerson('importer'));
  await page.addInitScript(restOnDemand);
  await page.goto(paths.importer.messages);
  await expect(page.getByRole('heading', { name: copy.title, exact: true }).first()).toBeVisible();
  asked.length = 0;
  await page.context().setOffline(true);
  await page.evaluate(rest);
  expect(asked).toEqual([]);
  await page.context().setOffline(false);
  await expect.poll(() => asked.length).toBe(2);
});

for (const [what, path, button, opened] of [
  ['The menu of the first page', paths.home, landing.nav.menu, landing.nav.menu],
  ['The dialog of a lost password', paths.auth, recovery.open, recovery.title],
] as const) {
  test(`${what} stays shut without a line, and opens when there is one again`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.addInitScript(restOnDemand);
    await page.goto(path);
    const opener = page.getByRole('button', { name: button, exact: true });
    await expect(opener).toBeVisible();
    await page.context().setOffline(true);
    await opener.click();
    await expect(opener).toHaveAttribute('aria-expanded', 'false');
    await page.context().setOffline(false);
    await opener.click();
    await expect(page.getByRole('dialog', { name: opened })).toBeVisible();
  });
}
