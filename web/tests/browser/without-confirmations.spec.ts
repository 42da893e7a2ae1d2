/** An installation that asks for no confirmation and is no demonstration. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { combined, fields, signUp } from '@/copy/auth';
import { settings } from '@/copy/settings';
import { signInThroughPage, stranger, type Person } from './support/people';
import type { ServerInfo } from './support/server';
import { expect, expectAccessible, test } from './support/test';

const SETTINGS = { GOTRUE_MAILER_AUTOCONFIRM: 'true', MINATO_DEMO_MODE: 'false' };

test.use({ ownServer: { environment: SETTINGS }, refusals: [/\/auth\/v1\/signup/] });

// AUTH-027
test('An address that has its account is told so', async ({ page, server }) => {
  const person = await signedUp(server, 'importer');
  await page.goto(paths.auth);
  const signup = {
    fullName: person.name,
    country: 'DE',
    city: 'Hamburg',
    phone: '+49 40 1234567',
    email: person.email,
  };
  await page.evaluate((state) => history.replaceState({ usr: state, key: 'handed-over', idx: 0 }, ''), {
    signup,
  });
  await page.reload();
  await page.getByLabel(fields.password, { exact: true }).fill(person.password);
  await page.getByRole('button', { name: combined.signUpSubmit }).click();
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(signUp.duplicate);
  await expectAccessible(page);
});

// AGS-009 IMT-003
test('Who deletes the account is gone, and only the messages stay, without a name', async ({
  page,
  newWindow,
  server,
}) => {
  test.slow();
  const [importer, agent] = [await signedUp(server, 'importer'), await signedUp(server, 'agent')];
  await write(server, importer, agent, 'Is the Hiace still there?');
  await signIn(page, importer);
  await page.goto(paths.importer.settings);
  await page.getByRole('button', { name: settings.danger.delete }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByLabel(fields.password, { exact: true }).fill(importer.password);
  await dialog.getByRole('button', { name: settings.danger.delete }).click();
  await expect(page.getByText(settings.danger.done.title)).toBeVisible();
  await expect(page).toHaveURL(paths.home);
  await page.goto(paths.importer.settings);
  await expect(page).toHaveURL(paths.auth);

  const desk = await newWindow();
  await signIn(desk, agent);
  await desk.goto(paths.agent.messages);
  await expect(desk.getByText('Unknown User').first()).toBeVisible();
  await expect(desk.getByText('Is the Hiace still there?').first()).toBeVisible();
});

async function signIn(page: Page, person: Person): Promise<void> {
  await signInThroughPage(page, person);
  await expect(page).toHaveURL(paths[person.type].dashboard);
}

/** Through the service like anybody; no mail is asked for. */
async function signedUp(server: ServerInfo, type: 'agent' | 'importer'): Promise<Person> {
  const person = stranger(type);
  const { status } = await call(server, '/auth/v1/signup', {
    email: person.email,
    password: person.password,
    data: { full_name: person.name, country: 'DE', city: 'Hamburg', phone: '+49 40 1234567', role: type },
  });
  expect(status).toBe(200);
  return person;
}

async function write(server: ServerInfo, from: Person, to: Person, content: string): Promise<void> {
  const session = await signedInAs(server, from);
  const receiver = await signedInAs(server, to);
  const message = { sender_id: session.user.id, receiver_id: receiver.user.id, content };
  const { status } = await call(server, '/rest/v1/messages', message, session.access_token);
  expect(status).toBe(201);
}

interface Session {
  access_token: string;
  user: { id: string };
}

async function signedInAs(server: ServerInfo, { email, password }: Person): Promise<Session> {
  const answer = await call(server, '/auth/v1/token?grant_type=password', { email, password });
  return (await answer.json()) as Session;
}

function call({ url, anon_key: apikey }: ServerInfo, path: string, body: unknown, token = apikey) {
  const headers = { apikey, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}
