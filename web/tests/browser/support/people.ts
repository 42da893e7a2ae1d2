/** People of the journeys: seeded ones by their role, new ones signed up through the service like anybody. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuthClient } from '@supabase/supabase-js';
import type { Page } from '@playwright/test';
import { paths, type UserType } from '@/config/paths';
import { fields, signIn } from '@/copy/auth';
import { newestMail } from './outbox';
import { SEED, serverInfo } from './server';

export interface Person {
  type: UserType;
  name: string;
  email: string;
  password: string;
}

const SEEDS = join(import.meta.dirname, '../../../../migrations/marketplace/supabase/seeds');

/** The first account of the seed that may sign in as this kind. */
export function seededPerson(type: UserType): Person {
  const accounts = JSON.parse(readFileSync(join(SEEDS, SEED, 'accounts.json'), 'utf8')) as SeededAccount[];
  const account = accounts.find((candidate) => candidate.role.includes(type));
  if (!account) throw new Error(`The seed ${SEED} has no account of kind ${type}.`);
  return {
    type,
    name: account.name ?? '',
    email: account.email,
    password: process.env.DEMO_PASSWORD ?? 'minato-demo',
  };
}

interface SeededAccount {
  email: string;
  role: string;
  name?: string;
}

export function stranger(type: UserType, name = type === 'agent' ? 'Aiko Mori' : 'Anna Schmidt'): Person {
  return { type, name, email: `${type}-${randomUUID()}@example.com`, password: 'correct horse battery' };
}

/** Signs a new person up and confirms the address, without a browser. */
export async function confirmedPerson(type: UserType): Promise<Person> {
  const person = stranger(type);
  const client = authClient();
  const { error } = await client.signUp({
    email: person.email,
    password: person.password,
    options: {
      data: { full_name: person.name, country: 'DE', city: 'Hamburg', phone: '+49 40 1234567', role: type },
    },
  });
  if (error) throw error;
  const { token_hash: tokenHash } = await newestMail(person.email);
  const confirmation = await client.verifyOtp({ token_hash: tokenHash, type: 'email' });
  if (confirmation.error) throw confirmation.error;
  return person;
}

/** The row that signing up made, as its owner reads it. */
export async function ownProfile(person: Person): Promise<unknown> {
  return (await askOwnProfile(person, 'GET')).json();
}

/** What the app offers nobody: the columns of the person's own row, by a request of the person's own making. */
export async function craftProfileUpdate(person: Person, columns: Record<string, string>): Promise<Response> {
  return askOwnProfile(person, 'PATCH', JSON.stringify(columns));
}

async function askOwnProfile({ email, password }: Person, method: string, body?: string): Promise<Response> {
  const { url, anon_key: apikey } = serverInfo();
  const { data, error } = await authClient().signInWithPassword({ email, password });
  if (error) throw error;
  const headers = {
    apikey,
    authorization: `Bearer ${data.session.access_token}`,
    accept: 'application/vnd.pgrst.object+json',
    'content-type': 'application/json',
  };
  return fetch(`${url}/rest/v1/profiles?user_id=eq.${data.user.id}`, { method, headers, body });
}

/** Only the auth part: Node 20 has no WebSocket for the rest of the client. */
export function authClient({ url, anon_key: anonKey } = serverInfo()) {
  return new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: anonKey },
    persistSession: false,
    autoRefreshToken: false,
  });
}

/** Through the page of the person's own door. */
export async function signInThroughPage(
  page: Page,
  person: Person,
  door: UserType = person.type,
): Promise<void> {
  await page.goto(paths[door].signIn);
  await page.getByLabel(fields.email, { exact: true }).fill(person.email);
  await page.getByLabel(fields.password, { exact: true }).fill(person.password);
  await page.getByRole('button', { name: signIn.submit }).click();
}

/**
 * Signed in by a session that this browser kept, which spares a story that is about something else the page. `path`
 * is where the person comes in: the own dashboard.
 */
export async function arrive(
  page: Page,
  person: Person,
  path: string = paths[person.type].dashboard,
): Promise<void> {
  await enter(page, person, path);
}

/** The session is in the browser's storage, under the name that supabase-js gives it, before the app looks there. */
export async function enter(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
  path: string,
): Promise<void> {
  const { data, error } = await authClient().signInWithPassword({
    email,
    password,
  });
  if (error) throw error;
  const keeping = await page.addInitScript((session) => {
    if (window !== window.top) return;
    const [project] = location.hostname.split('.');
    localStorage.setItem(`sb-${project}-auth-token`, JSON.stringify(session));
  }, data.session);
  await page.goto(path);
  // Whoever signs out afterwards stays signed out.
  await keeping.dispose();
}
