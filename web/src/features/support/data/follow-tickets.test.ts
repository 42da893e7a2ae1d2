import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsOf, type Pages } from '@/lib/lists/pages';
import { followTickets } from './follow-tickets';
import { followTicketMessages, type TicketThread } from './ticket-query';
import { supportKeys, type OpenTicket, type Ticket } from './tickets-query';

/** Each call of the data API and its answer. */
const { answers, asked, from } = vi.hoisted(() => {
  const answers: unknown[][] = [];
  const asked: string[] = [];
  const from = (table: string) => {
    const request: unknown = new Proxy(() => undefined, {
      get: (_target, name) => {
        if (name !== 'then')
          return (...given: unknown[]) => (asked.push(`${String(name)} ${given.join()}`), request);
        const answer = { data: answers.shift() ?? [], error: null };
        return (resolve: (value: unknown) => unknown) => Promise.resolve(resolve(answer));
      },
    });
    asked.push(table);
    return request;
  };
  return { answers, asked, from };
});
vi.mock('@/lib/supabase', () => ({ supabase: { from } }));

const ME = 'me';
let client: QueryClient;

const ticket = (id: string, day: number, status = 'open'): Ticket => ({
  id,
  user_id: ME,
  status,
  category: 'general',
  subject: `About ${id}`,
  body: 'Please',
  priority: 'medium',
  assigned_to: null,
  tags: [],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: `2026-01-0${day}T00:00:00Z`,
});
const gap = { changed: [], isGap: true, heardSince: 2_000 };
const change = (kind: 'INSERT' | 'UPDATE' | 'DELETE', row: object) =>
  followTickets(client, ME, { changed: [{ kind, row: { ...row } }], isGap: false, heardSince: 0 });
const shown = () =>
  rowsOf(client.getQueryData<Pages<Ticket>>(supportKeys.list(ME)) ?? { pages: [], pageParams: [] }).map(
    ({ id, status }) => `${id} ${status}`,
  );
const open = () => client.getQueryData<OpenTicket[]>(supportKeys.open(ME))?.map(({ id }) => id);

beforeEach(() => {
  client = new QueryClient();
  answers.length = 0;
  asked.length = 0;
  const rows = [ticket('b', 2), ticket('a', 1, 'resolved')];
  const list: Pages<Ticket> = {
    pages: [{ rows, next: null, arrived: [], rightAt: 1_000 }],
    pageParams: [null],
  };
  client.setQueryData(supportKeys.list(ME), list);
  client.setQueryData(supportKeys.open(ME), [{ id: 'b', category: 'general', status: 'open' }]);
});

describe('the own questions', () => {
  it('change where they stand, by the change itself', async () => {
    await change('UPDATE', ticket('a', 3, 'waiting_response'));
    expect(shown()).toEqual(['b open', 'a waiting_response']);
    expect(open()).toEqual(['a', 'b']);
    await change('UPDATE', ticket('b', 4, 'resolved'));
    expect(open()).toEqual(['a']);
    expect(asked).toEqual([]);
  });

  it('begin with the newest, and lose what is deleted', async () => {
    await change('INSERT', ticket('c', 3));
    await change('DELETE', { id: 'b' });
    expect(shown()).toEqual(['c open', 'a resolved']);
    expect(open()).toEqual(['c']);
  });

  it('are not those of others, whom the administrator hears of', async () => {
    await change('INSERT', { ...ticket('c', 3), user_id: 'somebody' });
    expect(shown()).toHaveLength(2);
  });

  it('are asked for after a gap, from the latest word that is known', async () => {
    answers.push([ticket('c', 4), ticket('b', 3, 'resolved')]);
    await followTickets(client, ME, gap);
    expect(shown()).toEqual(['c open', 'b resolved', 'a resolved']);
    expect(open()).toEqual(['c']);
    expect(asked.filter((call) => call === 'support_tickets')).toHaveLength(1);
    expect(asked).toContain('gte updated_at,2026-01-02T00:00:00Z');
  });

  it('are not asked for when they were read after the line stood', async () => {
    await followTickets(client, ME, { ...gap, heardSince: 500 });
    expect(asked).toEqual([]);
  });
});

describe('a question that is open', () => {
  const message = (id: string, day: number) => ({
    id,
    author_id: 'team',
    body: id,
    created_at: `2026-01-0${day}T00:00:00Z`,
  });
  const said = () => client.getQueryData<TicketThread>(supportKeys.ticket('b'))?.messages.map(({ id }) => id);

  beforeEach(() => {
    client.setQueryData(supportKeys.ticket('b'), { ...ticket('b', 2), messages: [message('m1', 2)] });
  });

  it('shows what is said as it is told, once', async () => {
    const row = { ...message('m2', 3), ticket_id: 'b' };
    const changes = { changed: [{ kind: 'INSERT' as const, row }], isGap: false, heardSince: 0 };
    await followTicketMessages(client, 'b', changes);
    await followTicketMessages(client, 'b', changes);
    await followTicketMessages(client, 'other', changes);
    expect(said()).toEqual(['m1', 'm2']);
    expect(asked).toEqual([]);
  });

  it('asks after a gap for what was said since, and where it stands', async () => {
    answers.push([{ ...ticket('b', 3, 'waiting_response'), messages: [message('m1', 2), message('m2', 3)] }]);
    await followTicketMessages(client, 'b', gap);
    expect(said()).toEqual(['m1', 'm2']);
    expect(asked).toContain('gte messages.created_at,2026-01-02T00:00:00Z');
    expect(shown()[0]).toBe('b waiting_response');
  });
});
