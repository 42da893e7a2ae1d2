/** Mails that could not be delivered: what the administrator sees of each and does about it. */
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminMails as copy } from '@/copy/back-office-mails';
import { arriveAsAdministrator, overview, page } from './support/back-office';
import { json, scriptedService } from './support/service';
import { expectAddress, expectToast, press, visit } from './support/visit';

const service = scriptedService();
const MAILS = 'POST /rest/v1/rpc/admin_mails';
const STEP = 'POST /rest/v1/rpc/admin_mail_action';
const SAID = '(550, "5.1.1 <kenji@example.com>: User unknown")';
const MAIL = {
  id: 7,
  user_id: 'agent-1',
  full_name: 'Kenji Tanaka',
  user_type: 'agent',
  email: 'kenji@example.com',
  kind: 'message',
  subject: 'New message from Anna',
  status: 'stopped',
  created_at: '2026-03-04T10:00:00Z',
  tried_at: '2026-03-04T12:00:00Z',
  due_at: null,
  attempts: 8,
  error: SAID,
};

beforeEach(() => arriveAsAdministrator(service));

async function openMail(traits: Partial<typeof MAIL> = {}) {
  service.on(MAILS, page([{ ...MAIL, ...traits }]));
  service.on(STEP, () => new Response(null, { status: 204 }));
  await visit('/admin/mails?open=7');
  return within(await screen.findByRole('dialog', { name: MAIL.subject }));
}

/** Presses a step and confirms it. */
async function decide(name: string): Promise<void> {
  const sheet = within(await screen.findByRole('dialog', { name: MAIL.subject }));
  fireEvent.click(sheet.getByRole('button', { name }));
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));
}

describe('undelivered mails', () => {
  it('are where the alert leads', async () => {
    const alerts = [{ kind: 'undelivered_notifications', severity: 'low', count: 1 }];
    service.on('POST /rest/v1/rpc/admin_overview', json(200, overview({ alerts })));
    service.on(MAILS, page([MAIL]));
    await visit('/admin');
    fireEvent.click(await screen.findByRole('link', { name: /1 mail could not be delivered/ }));
    await expectAddress('/admin/mails');
    await screen.findByRole('heading', { name: copy.title });
  });

  it('say to whom, about what, how often tried, and why not in plain words', async () => {
    service.on(MAILS, page([MAIL]));
    await visit('/admin/mails');
    await press('Open Kenji Tanaka');
    const sheet = within(await screen.findByRole('dialog', { name: MAIL.subject }));
    sheet.getByText('kenji@example.com');
    sheet.getByText(copy.errors.address);
    sheet.getByText(SAID);
    sheet.getByText('8');
  });

  it('are sent again', async () => {
    await openMail();
    await decide(copy.actions.send_again);
    await expectToast(copy.done.send_again);
    expect(service.asked(STEP)[0]?.body).toEqual({ p_mail: 7, p_action: 'send_again' });
  });

  it('are given up, and what was given up can only be sent again', async () => {
    await openMail();
    await decide(copy.actions.give_up);
    await expectToast(copy.done.give_up);
    expect(service.asked(STEP)[0]?.body).toEqual({ p_mail: 7, p_action: 'give_up' });
  });

  it('that were given up are not given up once more', async () => {
    const sheet = await openMail({ status: 'given_up' });
    sheet.getByRole('button', { name: copy.actions.send_again });
    expect(sheet.queryByRole('button', { name: copy.actions.give_up })).toBeNull();
  });

  it('that are on their way say so', async () => {
    await openMail({ status: 'waiting' });
    const message = 'This mail is on its way right now. Please look again in a minute.';
    service.on(STEP, json(400, { code: 'P0001', message, details: null, hint: null }));
    await decide(copy.actions.send_again);
    await screen.findByText(new RegExp(message));
  });
});
