/** What the operator's own program does with the secret key: past every policy, and without a page. */
import type { ServerInfo } from './server';

function ask(
  { url, service_role_key: key }: ServerInfo,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('apikey', key);
  headers.set('authorization', `Bearer ${key}`);
  headers.set('content-type', 'application/json');
  return fetch(`${url}/rest/v1/${path}`, { ...init, headers });
}

/** How many rows there are, by the server's own count. */
export async function countRows(server: ServerInfo, query: string): Promise<number> {
  const answer = await ask(server, query, { method: 'HEAD', headers: { prefer: 'count=exact' } });
  const count = Number(answer.headers.get('content-range')?.split('/')[1]);
  if (Number.isNaN(count)) throw new Error(`${query} was not counted: ${answer.status}`);
  return count;
}

export async function insertRow(
  server: ServerInfo,
  table: string,
  row: Record<string, unknown>,
): Promise<void> {
  const answer = await ask(server, table, { method: 'POST', body: JSON.stringify(row) });
  if (!answer.ok) throw new Error(`${table}: ${await answer.text()}`);
}

export async function changeRow(
  server: ServerInfo,
  query: string,
  columns: Record<string, unknown>,
): Promise<void> {
  const answer = await ask(server, query, { method: 'PATCH', body: JSON.stringify(columns) });
  if (!answer.ok) throw new Error(`${query}: ${await answer.text()}`);
}

export async function deleteRows(server: ServerInfo, query: string): Promise<void> {
  const answer = await ask(server, query, { method: 'DELETE' });
  if (!answer.ok) throw new Error(`${query}: ${await answer.text()}`);
}

/** The first row that the server finds. */
export async function firstRow(server: ServerInfo, query: string): Promise<Record<string, string>> {
  const [row] = (await (await ask(server, `${query}&limit=1`)).json()) as Record<string, string>[];
  if (!row) throw new Error(`${query} finds nothing.`);
  return row;
}

export async function memberId(server: ServerInfo, name: string): Promise<string> {
  const answer = await ask(server, `profiles?select=user_id&full_name=eq.${encodeURIComponent(name)}`);
  const [member] = (await answer.json()) as { user_id: string }[];
  if (!member) throw new Error(`Nobody is called ${name}.`);
  return member.user_id;
}
