/** Conversations: what is written without a line waits, nothing is sent twice, and nobody writes to nobody. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errors } from '@/copy/errors';
import { messages as copy } from '@/copy/messages';
import { arriveSignedIn, userOf } from './support/people';
import { json, pending, scriptedService, type Call } from './support/service';
import { expectToast, press, visit } from './support/visit';

const service = scriptedService();
afterEach(() => void vi.restoreAllMocks());

const ME = userOf().id;
const KENJI = 'b0d2c3f4-0000-4000-8000-0000000000aa';
const NOBODY = 'b0d2c3f4-0000-4000-8000-0000000000ff';
const POST = 'POST /rest/v1/messages';

const kenji = {
  user_id: KENJI,
  user_type: 'agent',
  full_name: 'Kenji Tanaka',
  company_name: 'Yokohama Auto Export',
  country: 'JP',
  city: 'Yokohama',
  avatar_url: null,
  verification_status: 'verified',
  verified_at: '2026-01-02T00:00:00Z',
  status: 'active',
  created_at: '2025-05-01T00:00:00Z',
};

function arrive(): void {
  arriveSignedIn(service, 'importer');
  service.on('GET /rest/v1/profiles', ({ query }) => {
    if (query.user_id === `eq.${KENJI}`) return json(200, kenji);
    if (query.user_id === `eq.${NOBODY}`) return json(406, { code: 'PGRST116', message: 'No row' });
    return json(200, { ...kenji, user_id: ME, user_type: 'importer', full_name: 'Anna Schmidt' });
  });
}

/** What the service took, in its order; the thread shows it from then on. */
function takeMessages(): Record<string, unknown>[] {
  const taken: Record<string, unknown>[] = [];
  service.on(POST, ({ body }) => {
    if (taken.some(({ id }) => id === body.id))
      return json(409, { code: '23505', message: 'duplicate key value' });
    taken.push(body);
    return new Response(null, { status: 201 });
  });
  return taken;
}

function cutLine(): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  service.on(POST, () => Promise.reject(new TypeError('Failed to fetch')));
}

function mendLine(): Record<string, unknown>[] {
  const taken = takeMessages();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  fireEvent(window, new Event('online'));
  return taken;
}

const field = () => screen.findByLabelText(copy.input);

async function write(text: string): Promise<void> {
  fireEvent.change(await field(), { target: { value: text } });
  fireEvent.keyDown(await field(), { key: 'Enter' });
}

const contents = (calls: Record<string, unknown>[]) => calls.map(({ content }) => content);

describe('a message', () => {
  it('is sent once however fast Enter is pressed', async () => {
    arrive();
    const answer = pending();
    service.on(POST, answer.answer);
    await visit(`/importer/messages?agent=${KENJI}`);
    await write('Is it sold?');
    fireEvent.keyDown(await field(), { key: 'Enter' });
    fireEvent.click(screen.getByRole('button', { name: copy.sending }));
    answer.resolve(new Response(null, { status: 201 }));
    await expectToast(copy.sent.title, copy.sent.text);
    expect(service.asked(POST)).toHaveLength(1);
    expect(await field()).toHaveValue('');
  });

  it('waits and says so where there is no line, and goes out in order, once, when it is back', async () => {
    arrive();
    await visit(`/importer/messages?agent=${KENJI}`);
    await field();
    cutLine();
    await write('First');
    await waitFor(async () => expect(await field()).toHaveValue(''));
    await write('Second');
    const log = await screen.findByRole('log');
    await waitFor(() => expect(within(log).getAllByText(copy.waiting)).toHaveLength(2));
    const taken = mendLine();
    await waitFor(() => expect(contents(taken)).toEqual(['First', 'Second']));
    await waitFor(() => expect(within(log).queryByText(copy.waiting)).toBeNull());
    expect(service.asked(POST).every(({ body }) => typeof body.id === 'string')).toBe(true);
  });

  it('that waits is still there after a reload, for that person alone', async () => {
    arrive();
    const waiting = { id: NOBODY, receiverId: KENJI, content: 'Still here', writtenAt: '', state: 'waiting' };
    localStorage.setItem(`minato-outbox:${ME}`, JSON.stringify([waiting]));
    localStorage.setItem(`minato-outbox:${NOBODY}`, JSON.stringify([{ ...waiting, content: 'Not mine' }]));
    cutLine();
    await visit(`/importer/messages?agent=${KENJI}`);
    expect(await screen.findByText('Still here')).toBeVisible();
    const taken = mendLine();
    await waitFor(() => expect(contents(taken)).toEqual(['Still here']));
    expect(localStorage.getItem(`minato-outbox:${NOBODY}`)).not.toBeNull();
  });

  it('whose answer was lost is known when it comes a second time', async () => {
    arrive();
    const taken = takeMessages();
    let isLost = true;
    const take = ({ body }: Call) => {
      if (!taken.some(({ id }) => id === body.id)) taken.push(body);
      else return json(409, { code: '23505', message: 'duplicate key value' });
      return new Response(null, { status: 201 });
    };
    service.on(POST, (call) => {
      const answer = take(call);
      return isLost ? Promise.reject(new TypeError('Failed to fetch')) : answer;
    });
    await visit(`/importer/messages?agent=${KENJI}`);
    await write('Only once');
    expect(await screen.findByText(copy.waiting)).toBeVisible();
    isLost = false;
    fireEvent(window, new Event('online'));
    await waitFor(() => expect(screen.queryByText(copy.waiting)).toBeNull());
    expect(contents(taken)).toEqual(['Only once']);
  });

  it('that waited and is refused says why, and can be sent again or removed', async () => {
    arrive();
    const waiting = { receiverId: KENJI, writtenAt: '', state: 'waiting' };
    const kept = [
      { ...waiting, id: KENJI, content: 'One' },
      { ...waiting, id: NOBODY, content: 'Two' },
    ];
    localStorage.setItem(`minato-outbox:${ME}`, JSON.stringify(kept));
    service.on(POST, json(403, { code: '42501', message: 'new row violates row-level security policy' }));
    await visit(`/importer/messages?agent=${KENJI}`);
    await waitFor(() => expect(screen.getAllByText(new RegExp(copy.notSent))).toHaveLength(2));
    expect(screen.getAllByText(new RegExp(errors.byKind['42501']))).toHaveLength(2);
    const taken = takeMessages();
    const [, second] = within(screen.getByRole('log')).getAllByRole('listitem');
    if (second) fireEvent.click(within(second).getByRole('button', { name: copy.remove }));
    await press(copy.sendAgain);
    await waitFor(() => expect(contents(taken)).toEqual(['One']));
    await waitFor(() => expect(localStorage.getItem(`minato-outbox:${ME}`)).toBeNull());
  });

  // IMM-020
  it('the service refuses at once stays in the field', async () => {
    arrive();
    service.on(POST, json(400, { code: 'P0001', message: 'Too many messages. Please wait a moment.' }));
    await visit(`/importer/messages?agent=${KENJI}`);
    await write('Hello?');
    await expectToast(copy.failed.title, 'Too many messages. Please wait a moment.');
    expect(await field()).toHaveValue('Hello?');
    expect(screen.queryByText(copy.waiting)).toBeNull();
  });

  it('that is too long is counted and not cut', async () => {
    arrive();
    await visit(`/importer/messages?agent=${KENJI}`);
    const text = 'x'.repeat(4_010);
    await write(text);
    expect(await field()).toHaveValue(text);
    expect(screen.getByText('4010/4000')).toBeVisible();
    expect(screen.getByText(copy.tooLong)).toBeVisible();
    expect(service.asked(POST)).toHaveLength(0);
  });

  it('that is being written is still there after a reload', async () => {
    arrive();
    localStorage.setItem(`minato-message:${ME}:${KENJI}`, 'Half a');
    await visit(`/importer/messages?agent=${KENJI}`);
    expect(await field()).toHaveValue('Half a');
  });
});

describe('a conversation', () => {
  it.each([
    ['oneself', ME],
    ['nobody', NOBODY],
  ])('with %s is not found, and has no field', async (_whom, id) => {
    arrive();
    await visit(`/importer/messages?agent=${id}`);
    expect(await screen.findByText(copy.notFound.title)).toBeVisible();
    expect(screen.queryByLabelText(copy.input)).toBeNull();
  });

  it('says whom it is with: seal, company and rating', async () => {
    arrive();
    service.on('POST /rest/v1/rpc/review_figures', json(200, { stars: [0, 0, 0, 1, 0] }));
    await visit(`/importer/messages?agent=${KENJI}`);
    const identity = await screen.findByRole('complementary', {
      name: copy.identity('Kenji Tanaka'),
      hidden: true,
    });
    await waitFor(() => expect(identity).toHaveTextContent(copy.shortRating(4, 1)));
    expect(identity).toHaveTextContent('Yokohama Auto Export');
    expect(identity).toHaveTextContent('Deals are made directly between you and the agent.');
  });

  it('begun about a car says so above the field and writes nothing by itself', async () => {
    arrive();
    service.on(
      'GET /rest/v1/agent_posts',
      json(200, [{ car_name: 'Toyota', model: 'Aqua', year: 2018, cnf_price: 9500 }]),
    );
    await visit(`/importer/messages?agent=${KENJI}&post=${NOBODY}`);
    expect(await screen.findByText('Toyota Aqua 2018 · CNF $9,500')).toBeVisible();
    expect(await field()).toHaveValue('');
    await press(copy.subject.remove);
    expect(screen.queryByText(/Toyota Aqua/)).toBeNull();
    expect(window.location.search).toBe(`?agent=${KENJI}`);
  });

  it('shows what was written within a minute together, under one time', async () => {
    arrive();
    const row = (id: string, content: string, second: number) => ({
      id,
      content,
      sender_id: KENJI,
      receiver_id: ME,
      is_read: true,
      created_at: `2026-03-04T10:00:${String(second).padStart(2, '0')}Z`,
      sender: kenji,
      receiver: null,
    });
    const rows = [row('1', 'Yes.', 1), row('2', 'It is here.', 9)];
    service.on('GET /rest/v1/messages', json(200, rows));
    await visit(`/importer/messages?agent=${KENJI}`);
    const log = await screen.findByRole('log');
    expect(within(log).getByText('It is here.')).toBeVisible();
    expect(log.querySelectorAll('time')).toHaveLength(1);
  });
});
