/** Signing in through a provider that the development server stands in for, by an app of another origin. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from './support/test';

let site: Server;
let app = '';
const CLIENT = join(
  dirname(createRequire(import.meta.url).resolve('@supabase/supabase-js/package.json')),
  'dist/umd/supabase.js',
);

test.use({
  ownServer: {
    environment: {
      GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
      GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'minato',
      GOTRUE_SAML_ENABLED: 'true',
      GOTRUE_SAML_PRIVATE_KEY: 'minato',
      GOTRUE_URI_ALLOW_LIST: 'http://localhost:*/**',
    },
  },
});

/** What a page of an app says of its session. */
const HTML = (url: string, key: string) => `<!doctype html><title>app</title>
<p id="who">nobody</p><p id="why"></p><button>Google</button><button>My company</button><script src="/client.js"></script><script>
  const flowType = localStorage.flow ?? 'pkce';
  window.client = supabase.createClient('${url}', '${key}', { auth: { flowType } });
  document.querySelector('button').onclick = () =>
    window.client.auth.signInWithOAuth({ provider: 'google', options: { redirectTo: location.origin } });
  document.querySelectorAll('button')[1].onclick = () =>
    window.client.auth.signInWithSSO({ domain: 'acme.example', options: { redirectTo: location.origin + '/' } });
  document.querySelector('#why').textContent = new URLSearchParams(location.search).get('error') ?? '';
  window.client.auth.onAuthStateChange((_, session) => {
    if (session) document.querySelector('#who').textContent = session.user.email;
  });
</script>`;

test.beforeAll(async ({ server }) => {
  site = createServer((request, response) => {
    const isClient = request.url === '/client.js';
    response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html');
    response.end(isClient ? readFileSync(CLIENT) : HTML(server.url, server.anon_key));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  app = `http://localhost:${(site.address() as AddressInfo).port}/`;
});

test.afterAll(() => {
  site.closeAllConnections();
  site.close();
});

async function comingNext(url: string, who: object, provider = 'google'): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ provider, ...who });
  const answer = await fetch(`${url}/_dev/v1/idp/next`, { method: 'PUT', headers, body });
  expect(answer.status).toBe(200);
}

for (const flow of ['implicit', 'pkce'])
  test(`Who presses the button comes back as the person that the test named (${flow})`, async ({
    page,
    server,
  }) => {
    await page.goto(app);
    await page.evaluate(`localStorage.flow = '${flow}'`);
    await page.reload();
    await comingNext(server.url, { user: { email: `${flow}@people.example`, name: 'Anna Hafen' } });
    await page.getByRole('button', { name: 'Google' }).click();
    await expect(page.locator('#who')).toHaveText(`${flow}@people.example`);
  });

test('Without a name the page asks who it is, and a refusal comes back as one', async ({ page, server }) => {
  await page.goto(app);
  await page.getByRole('button', { name: 'Google' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with google' })).toBeVisible();
  await page.getByRole('link', { name: 'Somebody new' }).click();
  await expect(page.locator('#who')).toContainText('@example.com');

  await comingNext(server.url, { error: 'access_denied' });
  await page.getByRole('button', { name: 'Google' }).click();
  await expect(page.locator('#why')).toHaveText('access_denied');
});

for (const flow of ['implicit', 'pkce'])
  test(`Who works for an organisation comes back from its page (${flow})`, async ({ page, server }) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ domain: 'acme.example' });
    await fetch(`${server.url}/_dev/v1/users/organisations`, { method: 'POST', headers, body });
    await page.goto(app);
    await page.evaluate(`localStorage.flow = '${flow}'`);
    await page.reload();

    await page.getByRole('button', { name: 'My company' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in with acme.example' })).toBeVisible();
    await page.getByRole('link', { name: 'Somebody new' }).click();
    await expect(page.locator('#who')).toContainText('@acme.example');

    await comingNext(server.url, { user: { email: `${flow}@acme.example` } }, 'saml');
    await page.getByRole('button', { name: 'My company' }).click();
    await expect(page.locator('#who')).toHaveText(`${flow}@acme.example`);
  });

test('An app signs in with an ID token of the provider', async ({ page, server }) => {
  await page.goto(app);
  const headers = { 'content-type': 'application/json' };
  const wanted = { provider: 'google', user: { email: 'token@people.example' }, nonce: 'once' };
  const made = await fetch(`${server.url}/_dev/v1/idp/id-token`, {
    method: 'POST',
    headers,
    body: JSON.stringify(wanted),
  });
  const { id_token: token } = (await made.json()) as { id_token: string };
  await page.evaluate(
    `window.client.auth.signInWithIdToken({ provider: 'google', token: '${token}', nonce: 'once' })`,
  );
  await expect(page.locator('#who')).toHaveText('token@people.example');
});

test('The link of sign-in opens the app as that person', async ({ page, server }) => {
  await page.goto(app);
  await page.evaluate(`localStorage.flow = 'implicit'`);
  const headers = { 'content-type': 'application/json' };
  const load = JSON.stringify({ user: [{ name: 'anna', email: 'anna@people.example' }] });
  await fetch(`${server.url}/_dev/v1/users/load`, { method: 'POST', headers, body: load });
  const body = JSON.stringify({ user: 'anna', redirect_to: app });
  const answer = await fetch(`${server.url}/_dev/v1/users/sign-in`, { method: 'POST', headers, body });
  const { link } = (await answer.json()) as { link: string };
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.locator('#who')).toHaveText('anna@people.example');
});
