/** Questions to the team: the list, the thread, and the answer. */
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { app } from '@/copy/app';
import { support } from '@/copy/support';
import { arriveSignedIn, userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();
const ME = userOf().id;
const TICKET = 'd0d2c3f4-0000-4000-8000-000000000003';

const ticket = (columns: Record<string, unknown> = {}) => ({
  id: TICKET,
  user_id: ME,
  subject: 'Where is my car?',
  body: 'It should have arrived.',
  category: 'general',
  status: 'waiting_response',
  created_at: '2026-03-04T10:00:00Z',
  updated_at: '2026-03-04T10:00:00Z',
  messages: [{ id: 'm1', author_id: 'somebody', body: 'Which port?', created_at: '2026-03-05T10:00:00Z' }],
  ...columns,
});

function answerWith(row: Record<string, unknown> | null): void {
  arriveSignedIn(service, 'importer');
  service.on('GET /rest/v1/support_tickets', ({ query }) =>
    'id' in query ? (row ? json(200, row) : json(406, { code: 'PGRST116' })) : json(200, row ? [row] : []),
  );
}

describe('the questions to the team', () => {
  it('stand in the settings with their state, and each leads to its thread', async () => {
    answerWith(ticket());
    await visit('/importer/settings');
    const link = await screen.findByRole('link', { name: /Where is my car\?/ });
    expect(link.textContent).toContain(support.status.waiting_response);
    expect(link.getAttribute('href')).toBe(`/importer/settings/support/${TICKET}`);
  });

  it('that wait for an answer are counted beside Settings', async () => {
    answerWith(ticket());
    await visit('/importer/reviews');
    await screen.findByRole('link', { name: /^Settings ?1 question waits for your answer$/ });
  });

  it('say so when there are none', async () => {
    answerWith(null);
    await visit('/importer/settings/support');
    await screen.findByText(support.list.empty);
  });
});

describe('a question', () => {
  it('shows what the team answered, and that it waits', async () => {
    answerWith(ticket());
    await visit(`/importer/settings/support/${TICKET}`);
    await screen.findByText('Which port?');
    screen.getByText('It should have arrived.');
    screen.getByText(support.thread.waiting);
    screen.getByText(support.thread.team);
  });

  it('is answered in its thread', async () => {
    answerWith(ticket());
    await visit(`/importer/settings/support/${TICKET}`);
    await screen.findByText('Which port?');
    fill(support.thread.input, 'Hamburg');
    await press(support.thread.send);
    await expectToast(support.thread.sent, support.thread.sentText);
    const [call] = service.asked('POST /rest/v1/ticket_messages');
    expect(call?.body).toMatchObject({ ticket_id: TICKET, author_id: ME, body: 'Hamburg' });
  });

  it('keeps the answer in its field when it could not be sent, and sends the same one again', async () => {
    answerWith(ticket());
    service.on('POST /rest/v1/ticket_messages', json(500, { message: 'no' }));
    await visit(`/importer/settings/support/${TICKET}`);
    await screen.findByText('Which port?');
    fill(support.thread.input, 'Hamburg');
    await press(support.thread.send);
    await expect.poll(() => service.asked('POST /rest/v1/ticket_messages')).toHaveLength(1);
    expect(screen.getByLabelText<HTMLTextAreaElement>(support.thread.input).value).toBe('Hamburg');
    service.on('POST /rest/v1/ticket_messages', json(201, null));
    await press(support.thread.send);
    await expect.poll(() => service.asked('POST /rest/v1/ticket_messages')).toHaveLength(2);
    const [first, second] = service.asked('POST /rest/v1/ticket_messages');
    expect(second?.body.id).toBe(first?.body.id);
  });

  it('that is resolved is opened again by an answer', async () => {
    answerWith(ticket({ status: 'resolved' }));
    await visit(`/importer/settings/support/${TICKET}`);
    await screen.findByText(support.thread.resolved);
    fill(support.thread.input, 'It happened again');
    await press(support.thread.reopen);
    await expect.poll(() => service.asked('POST /rest/v1/ticket_messages')).toHaveLength(1);
  });

  it.each([TICKET, 'not-an-id'])('that is not one of the own is not found (%s)', async (id) => {
    answerWith(null);
    await visit(`/importer/settings/support/${id}`);
    await screen.findByText(support.thread.missing.text);
  });

  it('asks for words before it is sent', async () => {
    answerWith(ticket());
    await visit(`/importer/settings/support/${TICKET}`);
    await screen.findByText('Which port?');
    await press(support.thread.send);
    await screen.findByText(support.thread.missingText);
    expect(service.asked('POST /rest/v1/ticket_messages')).toEqual([]);
  });
});

const value = (label: string) => screen.getByLabelText<HTMLTextAreaElement>(label).value;

/** As a reload does: what is only in memory is gone. */
async function reload(path: string): Promise<void> {
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  await visit(path);
}

describe('a question that was not sent', () => {
  const path = '/importer/settings/support';

  it('is still there after a reload, and gone once it is sent, under one id', async () => {
    answerWith(null);
    service.on('POST /rest/v1/support_tickets', json(500, { message: 'no' }));
    await visit(path);
    await screen.findByText(support.list.empty);
    fill(support.subject, 'My car');
    fill(support.body, 'Where is it?');
    await press(support.submit);
    await expect.poll(() => service.asked('POST /rest/v1/support_tickets')).toHaveLength(1);
    await reload(path);
    await screen.findByText(app.draft.restored);
    expect([value(support.subject), value(support.body)]).toEqual(['My car', 'Where is it?']);
    service.on('POST /rest/v1/support_tickets', json(201, null));
    await press(support.submit);
    await expectToast(support.done.title, support.done.text);
    const [first, second] = service.asked('POST /rest/v1/support_tickets');
    expect(second?.body.id).toBe(first?.body.id);
    expect(value(support.body)).toBe('');
    await reload(path);
    await screen.findByText(support.list.empty);
    expect(value(support.body)).toBe('');
  });

  it('is not left without asking', async () => {
    answerWith(null);
    await visit(path);
    await screen.findByText(support.list.empty);
    fill(support.body, 'Where is it?');
    fireEvent.click(screen.getByRole('link', { name: 'Saved Cars' }));
    await screen.findByRole('alertdialog', { name: app.unsaved.title });
  });
});

describe('an answer that was not sent', () => {
  const path = `/importer/settings/support/${TICKET}`;

  it('is still there after a reload, and gone once it is sent', async () => {
    answerWith(ticket());
    await visit(path);
    await screen.findByText('Which port?');
    fill(support.thread.input, 'Hamburg');
    await reload(path);
    await screen.findByText(app.draft.restored);
    expect(value(support.thread.input)).toBe('Hamburg');
    await press(support.thread.send);
    await expectToast(support.thread.sent, support.thread.sentText);
    expect(value(support.thread.input)).toBe('');
    await reload(path);
    await screen.findByText('Which port?');
    expect(value(support.thread.input)).toBe('');
  });
});
