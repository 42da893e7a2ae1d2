/** The dashboard of an agent on the way to the seal. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { chooseDocuments, fillProfile } from './support/onboarding-form';
import { json, scriptedService } from './support/service';
import { arriveAsAgent, record, REFERENCE, SUBMISSIONS } from './support/verification';
import { expectAddress, press, visit } from './support/visit';

const service = scriptedService();
const panel = async () => within(await screen.findByRole('region', { name: 'Verification' }));

describe('the dashboard of an agent who is not verified', () => {
  it('begins with the verification, before the figures, and makes it the one thing to do', async () => {
    arriveAsAgent(service);
    await visit('/agent/dashboard');
    const start = (await panel()).getByRole('link', { name: 'Start verification' });
    const figures = screen.getByText('Your Car Posts');
    expect(start.compareDocumentPosition(figures)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(start).toHaveClass('bg-primary');
    expect(screen.getByRole('link', { name: 'Create Car Post' })).not.toHaveClass('bg-primary');
    expect((await panel()).getByText(`Not paid yet. Your reference is ${REFERENCE}.`)).toBeVisible();
  });

  it.each([
    [
      {},
      'pending',
      ['Handed in on 20 Nov 2026, not checked yet', 'Submitted on 20 Nov 2026. It takes 24-48 hours.'],
      'Pay the fee',
    ],
    [
      { payment_status: 'claimed', payment_claimed_at: '2026-11-21T10:00:00Z' },
      'pending',
      ['You told us on 21 Nov 2026 that you have paid. We look for your transfer.'],
      'Change what you handed in',
    ],
    [
      { payment_status: 'received', payment_settled_at: '2026-11-21T10:00:00Z' },
      'pending',
      ['Arrived on 21 Nov 2026', 'Your documents are being reviewed. That takes 24-48 hours.'],
      'Change what you handed in',
    ],
    [
      {
        status: 'more_info',
        reviewed_at: '2026-11-22T10:00:00Z',
        documents_checked_at: '2026-11-22T10:00:00Z',
        identity_document_status: 'accepted',
        company_proof_status: 'refused',
        company_proof_note: 'It has expired.',
        payment_status: 'waived',
        payment_note: 'Founding member',
      },
      'unverified',
      ['Accepted on 22 Nov 2026', 'Sent back: It has expired.', 'Nothing to pay: Founding member'],
      'Put it right',
    ],
    [
      { status: 'rejected', reviewed_at: '2026-11-22T10:00:00Z', review_note: 'The company was closed.' },
      'unverified',
      ['Declined on 22 Nov 2026. The company was closed.'],
      'Submit again',
    ],
  ])('says of %o how far each step is', async (submission, status, texts, action) => {
    arriveAsAgent(service, submission, status);
    await visit('/agent/dashboard');
    const shown = await panel();
    for (const text of texts) expect(shown.getAllByText(text)[0]).toBeVisible();
    expect(shown.getByRole('link', { name: action })).toHaveAttribute('href', '/agent/payment');
  });

  it('goes on to the dashboard after the hand-in, with the steps read again', async () => {
    arriveAsAgent(service);
    await visit('/agent/profile-completion');
    await screen.findByText('Complete your profile');
    fillProfile();
    chooseDocuments();
    service.on(SUBMISSIONS, json(200, [record]));
    await press('Submit Profile');
    await expectAddress('/agent/dashboard');
    expect((await panel()).getByText('Submitted on 20 Nov 2026. It takes 24-48 hours.')).toBeVisible();
  });
});
