import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { agentData, choose, chooseDocuments, fileOf, fillProfile, PICTURE } from './support/onboarding-form';
import { arriveSignedIn, userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { expectAddress, expectToast, fill, openTab, press, visit } from './support/visit';

const service = scriptedService();

const CONFIG = 'POST /rest/v1/rpc/public_config';
const SUBMIT = 'POST /rest/v1/rpc/submit_agent_verification';
const SIGN = '/storage/v1/object/upload/sign/verification-documents/';
const AVATARS = '/storage/v1/object/profiles/';
const instructions = {
  easypaisa: { number: '0300 0000000' },
  bank: { title: 'Minato', account: '0000 0000 0000 00', iban: 'PK00 DEMO 0000 0000 0000 0000' },
};
const unset = { easypaisa: { number: '' }, bank: { title: '', account: '', iban: '' } };

function answerConfig(demo_mode: boolean, payment_instructions: unknown = instructions): void {
  service.on(CONFIG, json(200, { demo_mode, payment_instructions }));
}

/** Each upload asks for an address of its own; the script gives it and takes the bytes. */
function takeUploads(): void {
  service.on(`POST ${SIGN}*`, ({ path }) => json(200, { url: `${path.replace('/storage/v1', '')}?token=t` }));
  service.on(`PUT ${SIGN}*`, json(200, { Key: 'x' }));
  service.on(`POST ${AVATARS}*`, json(200, { Key: 'x' }));
}

async function openPayment(): Promise<void> {
  await visit('/agent/payment');
  await screen.findByRole('tab', { name: 'EasyPaisa' });
}

describe('the fee', () => {
  // ONB-014 ONB-015 PRD-011
  it('is named with the time the review takes', async () => {
    answerConfig(true);
    await openPayment();
    expect(screen.getByText('PKR 2,000')).toBeVisible();
    expect(screen.getByText('24-48 hours')).toBeVisible();
  });

  // ONB-009
  it('can be paid in three ways, EasyPaisa first', async () => {
    answerConfig(true);
    await openPayment();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['EasyPaisa', 'Card', 'Bank']);
    expect(screen.getByRole('tab', { name: 'EasyPaisa' })).toHaveAttribute('aria-selected', 'true');
  });

  // ONB-010 ONB-011 ONB-034
  it('goes to fixed accounts, which a demonstration marks as samples', async () => {
    answerConfig(true);
    await openPayment();
    const sample = 'Sample details of a demonstration: do not send money to them.';
    expect(await screen.findByText('0300 0000000')).toBeVisible();
    expect(screen.getByText(sample)).toBeVisible();
    await openTab('Bank');
    for (const [label, value] of [
      ['Account title', 'Minato'],
      ['Account number', '0000 0000 0000 00'],
      ['IBAN', 'PK00 DEMO 0000 0000 0000 0000'],
    ] as const)
      expect((await screen.findByText(label)).nextSibling).toHaveTextContent(value);
    expect(screen.getByText(sample)).toBeVisible();
  });

  // ONB-034
  it('asks to write first where the operator entered no account', async () => {
    answerConfig(false, unset);
    await openPayment();
    expect(
      await screen.findByText(
        'No receiving details are set yet. Write to support@minato.example before you pay.',
      ),
    ).toBeVisible();
    expect(screen.queryByText('Receiving number')).toBeNull();
  });

  // ONB-034
  it('shows the operator’s own account without any mark', async () => {
    answerConfig(false, { ...instructions, easypaisa: { number: '0301 2345678' } });
    await openPayment();
    expect(await screen.findByText('0301 2345678')).toBeVisible();
    expect(screen.queryByText(/Sample details/)).toBeNull();
  });

  // ONB-012 ONB-013
  it('asks a card’s fields, registers none of them and sends none of them', async () => {
    answerConfig(true);
    await openPayment();
    await openTab('Card');
    const typed = {
      'Card number': '4111111111111111',
      'Cardholder name': 'A MORI',
      'Expiry (MM/YY)': '99/99',
      CVV: 'x',
    };
    for (const [label, value] of Object.entries(typed)) {
      fill(label, value);
      expect(screen.getByLabelText(label)).not.toHaveAttribute('name');
      expect(screen.getByLabelText(label)).toHaveAttribute('autocomplete', 'off');
    }
    expect(screen.getByLabelText('Expiry (MM/YY)')).toHaveAttribute('placeholder', 'MM/YY');
    fillProfile();
    chooseDocuments();
    await press('Submit for Verification');
    await expectToast('Payment & Profile Submitted Successfully!');
    const written = JSON.stringify([service.calls, localStorage, sessionStorage]);
    expect(agentData()).toMatchObject({ paymentMethod: 'card', paymentCompleted: false });
    for (const value of ['4111111111111111', 'A MORI', '99/99']) expect(written).not.toContain(value);
  });
});

// PRD-004
it('An importer who opens the agents’ payment is told that it is not for importers', async () => {
  answerConfig(true);
  arriveSignedIn(service, 'importer');
  await openPayment();
  expect(
    await screen.findByText(/^You are signed in, but not as an agent: nothing is uploaded/),
  ).toBeVisible();
});

describe('a signed-in agent', () => {
  // ONB-007 ONB-033 ONB-035
  it('uploads the files to the own folder, hands them in and still leaves the documented record', async () => {
    answerConfig(true);
    takeUploads();
    service.on(SUBMIT, json(200, 'b0d2c3f4-0000-4000-8000-0000000000aa'));
    arriveSignedIn(service, 'agent');
    await openPayment();
    fillProfile();
    chooseDocuments();
    choose(PICTURE, fileOf('me.png'));
    fireEvent.click(screen.getByRole('radio', { name: /^I have paid/ }));
    fill('Transaction ID', 'EP-771204');
    choose('Receipt', fileOf('receipt.png'));
    await press('Submit for Verification');
    await expectToast(
      'Payment & Profile Submitted Successfully!',
      'Your documents are being reviewed. That takes 24-48 hours.',
    );
    await expectAddress('/agent/dashboard');
    const uploads = service.calls.filter((call) => call.method === 'PUT');
    expect(uploads.map((call) => call.body.name)).toEqual(['passport.pdf', 'company.pdf', 'receipt.png']);
    const folder = `${SIGN}${userOf().id}/`;
    expect(uploads.every((call) => call.path.startsWith(folder))).toBe(true);
    const [submission] = service.asked(SUBMIT);
    expect(submission?.body.p).toEqual({
      bio: 'Exporting since 2009.',
      company_name: 'Mori Motors',
      experience: '12',
      languages: 'Japanese, English',
      identity_document_path: expect.stringMatching(`^${userOf().id}/identity-\\d+\\.pdf$`) as unknown,
      company_proof_path: expect.stringMatching(`^${userOf().id}/company-\\d+\\.pdf$`) as unknown,
      identity_document_name: 'passport.pdf',
      company_proof_name: 'company.pdf',
      payment_method: 'easypaisa',
      payment_claimed: true,
      payment_reference: 'EP-771204',
      receipt_path: expect.stringMatching(`^${userOf().id}/receipt-\\d+\\.png$`) as unknown,
      receipt_name: 'receipt.png',
    });
    expect(agentData()).toMatchObject({ status: 'pending', paymentCompleted: true });
  });

  // ONB-028
  it('reads that the submission failed when the service refuses it, and keeps what was filled in', async () => {
    answerConfig(true);
    takeUploads();
    service.on(SUBMIT, json(500, { message: 'broken' }));
    arriveSignedIn(service, 'agent');
    await openPayment();
    fillProfile();
    chooseDocuments();
    await press('Submit for Verification');
    await expectToast('Submission Failed', 'Something went wrong. Please try again.');
    expect(within(screen.getByRole('main')).getAllByRole('alert')[0]?.textContent).toBe(
      'Submission Failed: Something went wrong. Please try again.',
    );
    expect(screen.getByLabelText('Company name')).toHaveValue('Mori Motors');
    await expectAddress('/agent/payment');
  });

  // ONB-031
  it('is led from the dashboard to the payment or, to pay later, to the profile alone', async () => {
    arriveSignedIn(service, 'agent');
    await visit('/agent/dashboard');
    const panel = within(await screen.findByRole('region', { name: 'Verification' }));
    expect(panel.getByRole('link', { name: 'Start verification' })).toHaveAttribute('href', '/agent/payment');
    expect(panel.getByRole('link', { name: 'Pay later' })).toHaveAttribute(
      'href',
      '/agent/profile-completion',
    );
  });

  // ONB-033
  it('finishes on the dashboard what was begun as a guest, with the documents asked again', async () => {
    localStorage.setItem(
      'agentData',
      JSON.stringify({ companyName: 'Mori Motors', experience: '12', status: 'pending' }),
    );
    arriveSignedIn(service, 'agent');
    await visit('/agent/dashboard');
    const panel = within(await screen.findByRole('region', { name: 'Verification' }));
    const finish = panel.getByRole('link', { name: 'Finish verification' });
    expect(finish).toHaveAttribute('href', '/agent/profile-completion');
    finish.click();
    expect(await screen.findByLabelText('Company name')).toHaveValue('Mori Motors');
    expect(screen.getByLabelText('Years of experience')).toHaveValue('12');
    expect(screen.queryByText('Replace')).toBeNull();
  });

  // ONB-007 ONB-032
  it.each([
    ['pending', 'Your documents are being reviewed. What you submit now takes their place.'],
    ['verified', 'This account is verified already. There is nothing to hand in.'],
  ])('who is %s reads so', async (verification_status, text) => {
    arriveSignedIn(service, 'agent', { profile: { verification_status } });
    await visit('/agent/profile-completion');
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Submit Profile' }) === null).toBe(
      verification_status === 'verified',
    );
  });
});
