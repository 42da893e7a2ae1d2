/** What the administrator does where the screens of the back office are not the story. */
import { ADMIN } from './administrator';
import { authClient, type Person } from './people';
import { serverInfo } from './server';

export async function callAsAdmin(name: string, body: Record<string, unknown>): Promise<unknown> {
  return ask(ADMIN, `rpc/${name}`, { method: 'POST', body: JSON.stringify(body) });
}

export async function readAsAdmin(path: string): Promise<Record<string, string>[]> {
  return (await ask(ADMIN, path, {})) as Record<string, string>[];
}

export async function idOf({ email, password }: Person): Promise<string> {
  const { data, error } = await authClient().signInWithPassword({ email, password });
  if (error) throw error;
  return data.user.id;
}

interface Credentials {
  email: string;
  password: string;
}

export async function ask(
  { email, password }: Credentials,
  path: string,
  init: RequestInit,
): Promise<unknown> {
  const { url, anon_key: apikey } = serverInfo();
  const { data, error } = await authClient().signInWithPassword({ email, password });
  if (error) throw error;
  const headers = {
    apikey,
    authorization: `Bearer ${data.session.access_token}`,
    'content-type': 'application/json',
  };
  const answer = await fetch(`${url}/rest/v1/${path}`, { headers, ...init });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text === '' ? null : (JSON.parse(text) as unknown);
}
