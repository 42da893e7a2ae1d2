// People of the tests: clients as the app makes them, users who signed up and followed their mail.
import { createClient, type User } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { target } from './target';

export const PASSWORD = 'correct horse battery';

export interface Mail {
  to: string;
  subject: string;
  type: string;
  html: string;
  link: string;
  token: string;
  token_hash: string;
}

export type Client = ReturnType<typeof clientWith>;

export function clientWith(key: string, ownFetch?: typeof fetch, url = target().url) {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    ...(ownFetch && { global: { fetch: ownFetch } }),
    // Node 20 has no WebSocket of its own.
    realtime: 'WebSocket' in globalThis ? {} : { transport: WebSocket as never },
  });
}

export const visitor = () => clientWith(target().anonKey);
export const admin = () => clientWith(target().serviceRoleKey);
export const freshAddress = (): string => `${randomUUID()}@example.com`;

export async function mailTo(address: string, type: string): Promise<Mail> {
  const query = new URLSearchParams({ to: address, type, wait: '5' });
  const mails = (await (await fetch(`${target().outboxUrl}?${query}`)).json()) as Mail[];
  const [newest] = mails;
  if (!newest) throw new Error(`No ${type} mail reached ${address}`);
  return newest;
}

export interface Person {
  client: Client;
  user: User;
  email: string;
}

/** Somebody who signed up, followed the mailed link and is signed in. */
export async function person(metadata: Record<string, unknown> = {}): Promise<Person> {
  const client = visitor();
  const email = freshAddress();
  const signUp = await client.auth.signUp({ email, password: PASSWORD, options: { data: metadata } });
  if (signUp.error) throw signUp.error;
  const { token_hash } = await mailTo(email, 'signup');
  const { data, error } = await client.auth.verifyOtp({ token_hash, type: 'email' });
  if (error ?? !data.user) throw error ?? new Error('Verification gave no user');
  return { client, user: data.user, email };
}
