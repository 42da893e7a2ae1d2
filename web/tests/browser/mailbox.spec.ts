/** The developer's mailbox: a page for whoever sits at the machine, nothing for the other pages they have open. */
import { fetchFrom, openForeignPage, runsAsScript, textInFrame } from './support/foreign-page';
import { newestMail } from './support/outbox';
import { seededPerson } from './support/people';
import { expect, test } from './support/test';

const STYLED = `<style>em { font-style: normal }</style>
  <p style="color: rgb(1, 2, 3)" onclick="document.title = 'ran'">Click <em>here</em></p>
  <script>document.querySelector('em').textContent = 'nowhere'</script>`;

test.use({ ownServer: { environment: { GOTRUE_MAILER_TEMPLATES_RECOVERY: STYLED } } });

for (const host of ['127.0.0.1', 'localhost'])
  test(`A page at another origin neither reads the mailbox nor empties it (${host})`, async ({
    browser,
    server,
  }) => {
    const { url, anon_key: apikey } = server;
    const { email } = seededPerson('importer');
    const { page, close } = await openForeignPage(browser, host);
    const headers = { apikey, 'content-type': 'application/json' };
    const body = JSON.stringify({ email });
    expect(await fetchFrom(page, `${url}/auth/v1/recover`, { method: 'POST', headers, body })).toBe('{}');
    const mail = await newestMail(email, 'recovery', url);

    for (const path of ['/_dev/outbox', '/_dev/sms', '/_dev/mailbox', '/metrics', '/config.js', '/'])
      expect(await fetchFrom(page, url + path), path).toBe('');
    expect(await runsAsScript(page, `${url}/config.js`)).toBe(false);
    for (const path of ['/', '/admin/login', '/_dev/mailbox', '/_dev/outbox'])
      expect(await textInFrame(page, url + path), path).toBe('');

    await fetchFrom(page, `${url}/_dev/outbox`, { method: 'DELETE' });
    await fetchFrom(page, `${url}/_dev/outbox`, { method: 'DELETE', mode: 'no-cors' });
    expect(await newestMail(email, 'recovery', url)).toEqual(mail);
    await close();
  });

test('At its own origin the mailbox shows a mail as it was meant, runs nothing of it and can be emptied', async ({
  browser,
  server,
}) => {
  // A window of its own: what a mail may not do is said in the console.
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const { email } = seededPerson('agent');
  const { anon_key: apikey } = server;
  await context.request.post('/auth/v1/recover', { headers: { apikey }, data: { email } });

  await page.goto('/_dev/mailbox');
  await page.getByLabel('To').fill(email);
  await page.getByRole('button', { name: email }).click();
  const mail = page.frameLocator('iframe');
  await expect(mail.getByText('Click here')).toHaveCSS('color', 'rgb(1, 2, 3)');
  await expect(mail.locator('em')).toHaveCSS('font-style', 'normal');
  await expect(mail.locator('em')).toHaveText('here');
  await mail.getByText('Click here').click();
  await expect(mail.locator('title')).toHaveCount(0);

  await page.getByLabel('To').fill('');
  await page.getByRole('button', { name: 'Delete all' }).click();
  await expect(page.getByRole('status')).toHaveText('No messages');
  await context.close();
});

test('The focus stays on a mail while another arrives', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const ask = async (type: 'agent' | 'importer') => {
    const { email } = seededPerson(type);
    await context.request.post('/auth/v1/recover', { headers: { apikey: server.anon_key }, data: { email } });
    return page.getByRole('button', { name: email });
  };
  await context.request.delete('/_dev/outbox');
  const first = await ask('agent');
  await page.goto('/_dev/mailbox');
  await first.focus();
  const second = await ask('importer');
  await expect(second).toBeVisible();
  await expect(first).toBeFocused();
  await context.close();
});
