/** The administrator's decision on an agent: nothing is approved unseen, unpaid or without a word. */
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { agentRow, page, submissionRow } from './support/back-office';
import { ADMIN_EMAIL, json, scriptedService } from './support/service';
import { sessionOf, storeSession, userOf } from './support/people';
import { expectToast, press, visit } from './support/visit';

const service = scriptedService();
const REVIEW = 'POST /rest/v1/rpc/admin_review_agent';
const PAYMENT = 'POST /rest/v1/rpc/admin_mark_payment';
const AGENT = 'a0d2c3f4-0000-4000-8000-000000000002';

const submission = {
  id: 'c0d2c3f4-0000-4000-8000-000000000001',
  company_name: 'Mori Motors',
  identity_document_path: `${AGENT}/identity-1.pdf`,
  company_proof_path: `${AGENT}/company-1.pdf`,
  transfer_reference: 'MN-7F3K-92QD',
};

async function openAgent(payment_status: string): Promise<void> {
  const row = agentRow({
    user_id: AGENT,
    full_name: 'Aki Mori',
    email: 'aki@example.com',
    status: payment_status === 'received' ? 'pending' : 'payment_pending',
    submission: submissionRow({ ...submission, payment_status }),
  });
  service.on('POST /rest/v1/rpc/admin_agents', page([row]));
  service.on('POST /rest/v1/rpc/admin_opened_documents', () => json(200, opened));
  service.on('POST /rest/v1/rpc/admin_open_document', ({ body }) => {
    opened.push(String(body.p_document));
    return new Response(null, { status: 204 });
  });
  service.on(
    'POST /storage/v1/object/sign/verification-documents*',
    json(200, { signedURL: '/object/sign/x' }),
  );
  service.on(REVIEW, () => new Response(null, { status: 204 }));
  service.on(PAYMENT, () => new Response(null, { status: 204 }));
  const user = { ...userOf({ email: ADMIN_EMAIL }), app_metadata: { role: 'admin' } };
  service.on('GET /auth/v1/user', json(200, user));
  storeSession(sessionOf(user));
  await visit('/admin/agents');
  fireEvent.click(await screen.findByRole('button', { name: 'Open Aki Mori' }));
  await screen.findByRole('dialog');
}

/** What this administrator has looked at. */
const opened: string[] = [];
beforeEach(() => void opened.splice(0));

function openDocuments(): void {
  for (const name of [/^Open Identity document/, /^Open Company proof/])
    fireEvent.click(dialog().getByRole('link', { name }));
}

const dialog = () => within(screen.getByRole('alertdialog'));
const confirm = (name: string) => fireEvent.click(dialog().getByRole('button', { name }));

describe('approving', () => {
  // ADA-004 ONB-035
  it('waits for the fee', async () => {
    await openAgent('claimed');
    await press('Approve');
    confirm('Approve');
    const reason = 'The fee is still open. Note that it has arrived, or waive it, before you approve.';
    expect((await dialog().findAllByText(reason))[0]).toBeVisible();
    expect(service.asked(REVIEW)).toEqual([]);
  });

  it('shows both documents and asks to tick each', async () => {
    await openAgent('received');
    await press('Approve');
    expect(dialog().getByText('Mori Motors exists, and the agent acts for it')).toBeVisible();
    for (const name of [/^Open Identity document/, /^Open Company proof/])
      expect(await dialog().findByRole('link', { name })).toBeVisible();
    openDocuments();
    confirm('Approve');
    expect(await dialog().findByText('Look at both documents and tick what you have checked.')).toBeVisible();
    for (const check of dialog().getAllByRole('checkbox')) fireEvent.click(check);
    confirm('Approve');
    await expectToast('Agent approved');
    expect(service.asked(REVIEW)[0]?.body).toEqual({ p_agent: AGENT, p_decision: 'approve' });
  });
});

it('Asking for more says of a document what is wrong with it', async () => {
  await openAgent('received');
  await press('Request More Info');
  confirm('Request More Info');
  expect(await dialog().findByText('Please give a reason')).toBeVisible();
  fireEvent.click(dialog().getByRole('checkbox', { name: /: Identity document$/ }));
  confirm('Request More Info');
  expect(
    await dialog().findByText('Please say of each document you send back what is wrong with it.'),
  ).toBeVisible();
  const reason = dialog().getByLabelText('What is wrong with it: Identity document');
  fireEvent.change(reason, { target: { value: 'The photo is blurred.' } });
  confirm('Request More Info');
  await expectToast('Agent asked for more');
  expect(service.asked(REVIEW)[0]?.body).toEqual({
    p_agent: AGENT,
    p_decision: 'more_info',
    p_documents: { identity_document: { status: 'refused', note: 'The photo is blurred.' } },
  });
});

// ONB-035
it.each([
  ['Waive fee', 'Fee waived', { p_status: 'waived', p_reason: 'Founding member' }],
  ['Fee not found', 'Agent told', { p_status: 'none', p_reason: 'Founding member' }],
])('%s needs a reason, which goes on record', async (action, done, sent) => {
  await openAgent('claimed');
  expect(await screen.findByText('MN-7F3K-92QD')).toBeVisible();
  await press(action);
  confirm(action);
  expect(await dialog().findByText('Please give a reason')).toBeVisible();
  fireEvent.change(dialog().getByRole('textbox'), { target: { value: 'Founding member' } });
  confirm(action);
  await expectToast(done);
  expect(service.asked(PAYMENT)[0]?.body).toEqual({ p_agent: AGENT, ...sent });
});
