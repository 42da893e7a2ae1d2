import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  agentRow,
  arriveAsAdministrator,
  auditRow,
  isForOne,
  overview,
  page,
  submissionRow,
} from './support/back-office';
import { json, scriptedService } from './support/service';
import { expectAddress, expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();
const AGENTS = 'POST /rest/v1/rpc/admin_agents';
const OVERVIEW = 'POST /rest/v1/rpc/admin_overview';
const REVIEW = 'POST /rest/v1/rpc/admin_review_agent';
const OPENED = 'POST /rest/v1/rpc/admin_opened_documents';
const OPEN = 'POST /rest/v1/rpc/admin_open_document';

beforeEach(() => arriveAsAdministrator(service));

/** Documents that were opened before, by this administrator. */
const haveOpened = (...names: string[]) => service.on(OPENED, json(200, names));
const sheet = () => screen.findByRole('dialog', { name: 'Kenji Tanaka' });

/** Ticks what was checked and confirms. */
async function approve(): Promise<void> {
  fireEvent.click(within(await sheet()).getByRole('button', { name: 'Approve' }));
  const question = within(await screen.findByRole('alertdialog'));
  for (const check of question.getAllByRole('checkbox')) fireEvent.click(check);
  fireEvent.click(question.getByRole('button', { name: 'Approve' }));
}

const UNOPENED = 'Open every document before you approve.';

describe('a decision in a filtered tab', () => {
  it('leaves the sheet open, with the new status, although the row left the list', async () => {
    haveOpened('identity_document', 'company_proof');
    let isApproved = false;
    service.on(AGENTS, (call) => {
      if (isForOne(call)) return page([agentRow({ status: isApproved ? 'verified' : 'pending' })]);
      return page(isApproved ? [] : [agentRow()]);
    });
    service.on(REVIEW, () => {
      isApproved = true;
      return new Response(null, { status: 204 });
    });
    await visit('/admin/agents?status=pending');
    await press('Open Kenji Tanaka');
    await approve();
    await expectToast('Agent approved');
    expect(await within(await sheet()).findByText('Verified')).toBeVisible();
    expect(await screen.findByText('Nothing here')).toBeInTheDocument();
    await expectAddress('/admin/agents?status=pending&open=agent-1');
  });
});

describe('nobody is approved unseen', () => {
  // ADD-003
  it('the dashboard leads with the details, and its Approve opens them while documents are unopened', async () => {
    haveOpened();
    service.on(OVERVIEW, json(200, overview({ pending_approvals: [agentRow()] })));
    service.on(AGENTS, page([agentRow()]));
    await visit('/admin');
    const card = (await screen.findByText('Kenji Tanaka')).closest('li') as HTMLElement;
    const buttons = within(card).getAllByRole('button');
    expect(buttons.map((button) => button.textContent)).toEqual(['Review Details', 'Approve', 'Reject']);
    await vi.waitFor(() => expect(service.asked(OPENED)).not.toEqual([]), 15_000);
    fireEvent.click(within(card).getByRole('button', { name: 'Approve' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(await sheet()).toBeVisible();
    expect(service.asked(REVIEW)).toEqual([]);
  });

  it('a document that was replaced meanwhile is said to be, and the new one is shown', async () => {
    haveOpened();
    let path = 'agent-1/passport.pdf';
    service.on(OPEN, () => {
      path = 'agent-1/passport-2.pdf';
      const message = 'This document was replaced. Please open the new one.';
      return json(400, { code: 'P0001', message, details: null, hint: null });
    });
    service.on('POST /storage/v1/object/sign/*', json(200, { signedURL: '/object/sign/x?token=t' }));
    service.on(AGENTS, () =>
      page([agentRow({ submission: submissionRow({ identity_document_path: path }) })]),
    );
    await visit('/admin/agents?open=agent-1');
    fireEvent.click(await within(await sheet()).findByRole('link', { name: /^Open Identity document/ }));
    await expectToast(
      'It could not be noted that you opened this document',
      'This document was replaced. Please open the new one.',
    );
    const [call] = service.asked(OPEN);
    expect(call?.body).toMatchObject({ p_document: 'identity_document', p_path: 'agent-1/passport.pdf' });
    await vi.waitFor(() => expect(service.asked(AGENTS).length).toBeGreaterThan(1), 15_000);
  });

  it('a tick is no look: each document is opened first, and the record keeps who opened it', async () => {
    const opened: string[] = [];
    service.on(OPENED, () => json(200, opened));
    service.on(OPEN, ({ body }) => {
      opened.push(String(body.p_document));
      return new Response(null, { status: 204 });
    });
    service.on(REVIEW, () => new Response(null, { status: 204 }));
    service.on('POST /storage/v1/object/sign/*', json(200, { signedURL: '/object/sign/x?token=t' }));
    service.on(AGENTS, page([agentRow()]));
    await visit('/admin/agents?open=agent-1');
    await approve();
    const question = within(screen.getByRole('alertdialog'));
    expect(await question.findByText(UNOPENED)).toBeVisible();
    expect(service.asked(REVIEW)).toEqual([]);
    for (const name of [/^Open Identity document/, /^Open Company proof/])
      fireEvent.click(await question.findByRole('link', { name }));
    await vi.waitFor(() => expect(question.queryByText(UNOPENED)).toBeNull(), 15_000);
    fireEvent.click(question.getByRole('button', { name: 'Approve' }));
    await expectToast('Agent approved');
    expect(service.asked(OPEN).map(({ body }) => body)).toEqual([
      { p_submission: 'submission-1', p_document: 'identity_document', p_path: 'agent-1/passport.pdf' },
      { p_submission: 'submission-1', p_document: 'company_proof', p_path: 'agent-1/company.pdf' },
    ]);
  });
});

describe('the dashboard', () => {
  // ADD-001
  it('leads from each alert to the list of exactly what it counts', async () => {
    const alerts = [
      ['disputed_requests', 'high', '1 disputed request', '/admin/requests?status=disputed'],
      [
        'reported_conversations',
        'high',
        '1 reported conversation',
        '/admin/messages?view=conversations&status=reported',
      ],
      ['escalated_tickets', 'high', '1 escalated ticket', '/admin/messages?status=escalated'],
      ['pending_agents', 'medium', '1 agent to verify', '/admin/agents?status=pending'],
      ['requests_to_approve', 'medium', '1 request to approve', '/admin/requests?status=pending_approval'],
    ] as const;
    const answered = alerts.map(([kind, severity]) => ({ kind, severity, count: 1 }));
    service.on(OVERVIEW, json(200, overview({ alerts: answered })));
    await visit('/admin');
    for (const [, , text, place] of alerts) {
      expect(await screen.findByRole('link', { name: new RegExp(text) })).toHaveAttribute('href', place);
    }
  });

  // ADD-004 ADD-005
  it('names who did what to whom, and leads to work instead of repeating the menu', async () => {
    const event = {
      at: '2026-03-04T10:00:00Z',
      kind: 'review_agent',
      actor: 'boss@example.com',
      target_type: 'agent',
      target_id: 'agent-1',
      details: { target: 'Kenji Tanaka' },
    };
    service.on('POST /rest/v1/rpc/admin_activity', json(200, [event]));
    await visit('/admin');
    const activity = await screen.findByRole('list', { name: 'Recent activity' });
    expect(await within(activity).findByText('boss@example.com')).toBeVisible();
    expect(within(activity).getByText(/Kenji Tanaka/)).toBeVisible();
    const links = screen.getByRole('navigation', { name: 'Quick links' });
    const menu = screen.getByRole('navigation', { name: 'Administration' });
    const texts = (place: HTMLElement) =>
      within(place)
        .getAllByRole('link')
        .map((link) => link.textContent);
    expect(texts(links).filter((text) => texts(menu).includes(text))).toEqual([]);
  });
});

describe('the audit log', () => {
  const AUDIT = 'POST /rest/v1/rpc/admin_audit';
  const administrators = [{ id: 'admin-1', email: 'boss@example.com' }];

  it('is searched by who, what and when, and shows all of an entry', async () => {
    service.on(AUDIT, page([auditRow()], { administrators }));
    await visit('/admin/audit');
    await press(/^Open decided on an agent/);
    const entry = await screen.findByRole('dialog', { name: 'Entry' });
    expect(within(entry).getByText('The passport is cut off')).toBeVisible();
    expect(within(entry).getByText('boss@example.com')).toBeVisible();
    expect(within(entry).getByRole('link', { name: 'Open what it is about' })).toHaveAttribute(
      'href',
      '/admin/agents?open=agent-1',
    );
    fireEvent.click(within(entry).getByRole('button', { name: 'Close details' }));
    fireEvent.change(await screen.findByLabelText('Administrator'), { target: { value: 'admin-1' } });
    fill('From', '2026-03-01');
    fill('To', '2026-03-31');
    await vi.waitFor(
      () =>
        expect(service.asked(AUDIT).at(-1)?.body).toMatchObject({
          p_who: 'admin-1',
          p_from: '2026-03-01',
          p_to: '2026-03-31',
          p_descending: true,
        }),
      15_000,
    );
  });
});

describe('the payment settings', () => {
  const SETTINGS = 'GET /rest/v1/app_settings';
  const rows = [
    { key: 'fee_pkr', value: 2000 },
    {
      key: 'payment_instructions',
      value: { easypaisa: { number: '1' }, bank: { title: 'M', account: '2', iban: 'PK1' } },
    },
  ];

  it('complain when they are sent, not while the person types, and send nothing wrong', async () => {
    service.on(SETTINGS, json(200, rows));
    await visit('/admin/settings');
    fireEvent.change(await screen.findByLabelText('Fee in PKR'), { target: { value: '2,5' } });
    expect(screen.queryByText('Please enter a whole amount')).toBeNull();
    await press('Save');
    expect(await screen.findByText('Please enter a whole amount')).toBeVisible();
    expect(service.asked('PATCH /rest/v1/app_settings')).toEqual([]);
  });

  it('ask before changes are left', async () => {
    service.on(SETTINGS, json(200, rows));
    await visit('/admin/settings');
    fireEvent.change(await screen.findByLabelText('Fee in PKR'), { target: { value: '2500' } });
    fireEvent.click(screen.getByRole('link', { name: 'Agents' }));
    expect(await screen.findByRole('alertdialog')).toBeVisible();
    await expectAddress('/admin/settings');
  });

  it('speak to people, not to developers', async () => {
    service.on(SETTINGS, json(200, rows));
    await visit('/admin/settings');
    await screen.findByLabelText('Fee in PKR');
    expect(document.body.textContent).not.toMatch(/MINATO_/);
  });
});
