import { paths } from '@/config/paths';
import { messages as copy } from '@/copy/messages';
import { arrive, confirmedPerson } from './support/people';
import { expect, test } from './support/test';

test.use({ refusals: [/\/rest\/v1\/|ERR_INTERNET_DISCONNECTED|realtime/] });

/** What comes when the browser rests is asked for now, and without a line it is not asked for at all. */
const rest = () => (window as unknown as { rest: () => void }).rest();

test('Who loses the line before the page has come to rest has everything once it is back', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on(
    'request',
    (request) => /\/assets\/(toaster|ask-ahead)-/.test(request.url()) && asked.push(request.url()),
  );
  await arrive(page, await confirmedPerson('importer'));
  await page.addInitScript(() => {
    const waiting: IdleRequestCallback[] = [];
    window.requestIdleCallback = (act) => waiting.push(act);
    Object.assign(window, {
      rest: () => waiting.splice(0).forEach((act) => act({ didTimeout: true, timeRemaining: () => 0 })),
    });
  });
  await page.goto(paths.importer.messages);
  await expect(page.getByRole('heading', { name: copy.title, exact: true }).first()).toBeVisible();
  asked.length = 0;
  await page.context().setOffline(true);
  await page.evaluate(rest);
  expect(asked).toEqual([]);
  await page.context().setOffline(false);
  await expect.poll(() => asked.length).toBe(2);
});
