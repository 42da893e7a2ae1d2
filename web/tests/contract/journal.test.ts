// What the journal tells of a request can be pasted: the copied call of supabase-js sends the same request again.
import { describe, expect, it } from 'vitest';
import { clientWith, type Client } from './support/people';
import { target } from './support/target';

interface Told {
  data: {
    method: string;
    path: string;
    query: string;
    prefer: string | null;
    request: { text: string } | null;
  };
}

/** The events of what `send` asks, by the ids of the answers. */
async function asked(
  key: string,
  send: (client: Client) => PromiseLike<unknown>,
): Promise<[string, Told['data']]> {
  const ids: string[] = [];
  const client = clientWith(key, async (input, init) => {
    const answer = await fetch(input, init);
    ids.push(answer.headers.get('x-request-id') ?? '');
    return answer;
  });
  await send(client);
  const [id = ''] = ids;
  const told = (await (await fetch(`${target().url}/_dev/v1/requests/${id}`)).json()) as Told;
  return [id, told.data];
}

const wording = ({ method, path, query, prefer, request }: Told['data']) => ({
  method,
  path,
  query: [...new URLSearchParams(query)].sort(),
  prefer,
  body: request?.text ?? null,
});

const CALLS: [string, (client: Client) => PromiseLike<unknown>][] = [
  ['all', (c) => c.from('cars').select()],
  ['columns', (c) => c.from('cars').select('id, name:model')],
  ['an embed', (c) => c.from('cars').select('id, makers(name)')],
  ['a count alone', (c) => c.from('cars').select('*', { count: 'exact', head: true })],
  ['a filter', (c) => c.from('cars').select().eq('id', 1)],
  ['a filter with odd signs', (c) => c.from('cars').select().eq('model', 'a, "b" (c)&d=e')],
  ['a list', (c) => c.from('cars').select().in('id', [1, 2])],
  ['a list with commas', (c) => c.from('cars').select().in('model', ['a,b', 'c'])],
  ['what is not', (c) => c.from('cars').select().not('model', 'is', null)],
  ['a pattern', (c) => c.from('cars').select().ilike('model', '%aqua%')],
  ['any pattern', (c) => c.from('cars').select().likeAnyOf('model', ['a%', 'b%'])],
  ['one or another', (c) => c.from('cars').select().or('id.eq.1,and(id.gt.5,id.lt.9)')],
  [
    'one or another of an embed',
    (c) => c.from('makers').select('*, cars(id)').or('id.eq.1', { referencedTable: 'cars' }),
  ],
  ['an order', (c) => c.from('cars').select().order('id', { ascending: false, nullsFirst: true })],
  ['two orders', (c) => c.from('cars').select().order('model').order('id', { ascending: false })],
  [
    'an order of an embed',
    (c) => c.from('makers').select('*, cars(id)').order('id', { referencedTable: 'cars' }),
  ],
  ['a window', (c) => c.from('cars').select().range(5, 9)],
  ['a limit', (c) => c.from('cars').select().limit(3)],
  [
    'a limit of an embed',
    (c) => c.from('makers').select('*, cars(id)').limit(2, { referencedTable: 'cars' }),
  ],
  [
    'full text',
    (c) => c.from('cars').select().textSearch('model', 'aqua', { type: 'websearch', config: 'english' }),
  ],
  ['an insert', (c) => c.from('tags').insert({ label: 'a "quoted" one' })],
  ['several rows', (c) => c.from('tags').insert([{ label: 'a' }, { label: 'b' }], { defaultToNull: false })],
  ['an insert that answers', (c) => c.from('tags').insert({ label: 'x' }).select('id')],
  [
    'an upsert',
    (c) => c.from('tags').upsert({ id: 999, label: 'x' }, { onConflict: 'id', ignoreDuplicates: true }),
  ],
  ['an update', (c) => c.from('tags').update({ label: 'y' }, { count: 'exact' }).eq('id', -1)],
  ['an update that answers', (c) => c.from('tags').update({ label: 'y' }).eq('id', -1).select()],
  ['a removal', (c) => c.from('tags').delete().eq('id', -1)],
  ['a call', (c) => c.rpc('nothing_like_it', { a: 1, b: 'two' })],
  ['a call by GET', (c) => c.rpc('nothing_like_it', { a: 1 }, { get: true })],
];

describe('the copied call of supabase-js', () => {
  it.each(CALLS)('sends the same: %s', async (_name, send) => {
    const key = target().serviceRoleKey;
    const [id, first] = await asked(key, send);
    const text = await (await fetch(`${target().url}/_dev/v1/requests/${id}/as/supabase-js`)).text();
    const call = text.slice(text.indexOf('await supabase') + 'await '.length);
    // oxlint-disable-next-line typescript/no-implied-eval -- it is what a person does who pastes it
    const pasted = new Function('supabase', `return ${call}`) as (client: Client) => PromiseLike<unknown>;
    const [, again] = await asked(key, (client) => pasted(client));
    expect(wording(again), text).toEqual(wording(first));
  });
});

describe('the journal', () => {
  it('tells a refusal by its policy, whom it met and what was run', async () => {
    const [, told] = await asked(target().anonKey, (client) =>
      client.from('orders').insert({ note: 'mine' }),
    );
    expect(told).toMatchObject({ status: 401, code: '42501', caller: { role: 'anon' } });
  });
});
