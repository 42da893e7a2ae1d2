/** Members' files lie on the origin of the app, where its sessions are: none of them runs as a page of it. */
import type { Browser, Page } from '@playwright/test';
import pg from 'pg';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { adminAgents, adminList } from '@/copy/back-office';
import { agentProfile, documents, onboarding } from '@/copy/onboarding';
import { sheet, signInAsAdmin, tab } from './support/administrator';
import { arrive, confirmedPerson, seededPerson } from './support/people';
import type { ServerInfo } from './support/server';
import { expect, test } from './support/test';

// Each is a page, a picture and a document at once: what it is taken for is its type's to say.
const SCRIPT = '<script>stolen(Object.keys(localStorage).join())</script>';
const XHTML = `<html xmlns="http://www.w3.org/1999/xhtml"><!--%PDF-1.4--><head>${SCRIPT}</head><body>read me</body></html>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}<text>read me</text></svg>`;
const PARTS = `--part\r\nContent-Type: text/html\r\n\r\n<p>read me</p>${SCRIPT}\r\n--part--\r\n`;
const FILES = [
  ['text/xsl', XHTML],
  ['text/xml', XHTML],
  ['application/xml', XHTML],
  ['application/xhtml+xml', XHTML],
  ['application/mathml+xml', XHTML],
  ['image/svg+xml', SVG],
  ['text/html', XHTML],
  ['TEXT/HTML; charset=utf-8', XHTML],
  ['multipart/x-mixed-replace; boundary=part', PARTS],
  ['text/vtt', XHTML],
  ['application/unheard-of', XHTML],
] as const;
const BUCKET = 'anything-goes';

test('A stored file with a script in it, opened by its public address, neither runs nor reads the session', async ({
  browser,
  server,
}) => {
  test.slow();
  const { page, stolen, close } = await victim(browser, server);
  await arrive(page, seededPerson('importer'));
  await operate(server, 'bucket', JSON.stringify({ name: BUCKET, public: true }), 'application/json');
  for (const [index, [type, content]] of FILES.entries()) {
    const uploaded = `${BUCKET}/${index}`;
    await operate(server, `object/${uploaded}`, content, type);
    await open(page, `/storage/v1/object/public/${uploaded}`);

    const relabelled = `profiles/relabelled/${index}.svg`;
    await operate(server, `object/${relabelled}`, content, 'image/svg+xml');
    await relabel(server, `relabelled/${index}.svg`, type);
    await open(page, `/storage/v1/object/public/${relabelled}`);
    expect(stolen, type).toEqual([]);
  }
  await close();
});

test('A submitted document that is a script runs nothing where the administrator opens it', async ({
  browser,
  server,
}) => {
  test.slow();
  const agent = await confirmedPerson('agent');
  const { page: desk, close: closeDesk } = await victim(browser, server);
  await arrive(desk, agent, paths.agent.profileCompletion);
  await desk.getByLabel(agentProfile.companyName).fill('Mori Motors');
  await desk.getByLabel(agentProfile.experience).fill('12');
  await desk.getByLabel(agentProfile.languages).fill('Japanese');
  await desk.getByLabel(agentProfile.bio).fill('Exporting since 2009.');
  const file = { name: 'identity.pdf', mimeType: 'application/pdf', buffer: Buffer.from(XHTML) };
  for (const label of [documents.identity, documents.company])
    await desk.getByRole('group', { name: label }).locator('input[type=file]').setInputFiles(file);
  await desk.getByRole('button', { name: onboarding.profileCompletion.submit }).click();
  await expect(desk).toHaveURL(paths.agent.dashboard);
  await closeDesk();

  const { page, stolen, close } = await victim(browser, server);
  await signInAsAdmin(page);
  for (const type of ['text/xsl', 'application/pdf']) {
    await relabel(server, '%/identity-%.pdf', type);
    await page.goto(paths.admin.agents);
    await tab(page, adminAgents.tabs.payment_pending).click();
    await page.getByRole('searchbox').fill(agent.email);
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('button', { name: adminList.open(agent.name) }).click();
    const link = sheet(page).getByRole('link', { name: documents.identity });
    await expect(link).toHaveAccessibleName(new RegExp(app.newTab));
    // Opened as a page of the window itself: a new one could be left before it has run.
    await open(page, (await link.getAttribute('href')) ?? '');
    expect(stolen, type).toEqual([]);
  }
  await close();
});

/** A window whose pages can tell what they have stolen; the browser's own words on what it blocks are no complaint. */
async function victim(browser: Browser, { site }: ServerInfo) {
  const context = await browser.newContext({ baseURL: site, acceptDownloads: false });
  const stolen: string[] = [];
  await context.exposeBinding('stolen', (_source, keys: string) => stolen.push(keys));
  return { page: await context.newPage(), stolen, close: () => context.close() };
}

/** Goes to the file and waits until it is shown; what the browser offers to save instead is not shown at all. */
async function open(page: Page, address: string): Promise<void> {
  const answer = page.waitForResponse((response) => response.url().endsWith(address.split('/').at(-1) ?? ''));
  await page.goto(address).catch((error: unknown) => {
    if (!/Download is starting|net::ERR_ABORTED/.test(String(error))) throw error;
  });
  expect((await answer).status()).toBe(200);
}

async function operate(server: ServerInfo, path: string, body: string, type: string): Promise<void> {
  const key = server.service_role_key;
  const headers = { apikey: key, authorization: `Bearer ${key}`, 'content-type': type, 'x-upsert': 'true' };
  const answer = await fetch(`${server.url}/storage/v1/${path}`, { method: 'POST', headers, body });
  expect(answer.ok, await answer.text()).toBe(true);
}

/** Gives stored files another type past every check, as a row from elsewhere would have it. */
async function relabel({ db_url: url }: ServerInfo, name: string, type: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const relabelled = await client.query(
    `update storage.objects set metadata = metadata || jsonb_build_object('mimetype', $2::text) where name like $1`,
    [name, type],
  );
  await client.end();
  expect(relabelled.rowCount).toBeGreaterThan(0);
}
