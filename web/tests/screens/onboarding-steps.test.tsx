/** Handing in for verification beside the straight way: left half-way, refused, paid later, told step by step. */
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  agentData,
  choose,
  chooseDocuments,
  COMPANY,
  fileOf,
  fillProfile,
  IDENTITY,
  isChosen,
  PICTURE,
  tray,
} from './support/onboarding-form';
import { userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { arriveAsAgent, REFERENCE, SIGN, SUBMIT } from './support/verification';
import { expectToast, fill, openTab, press, visit } from './support/visit';

const service = scriptedService();
const RECEIVED = 'Your documents are being reviewed. That takes 24-48 hours.';
const FEE_OPEN = 'The fee is still open. Your dashboard shows how to pay it.';

const submitted = () => service.asked(SUBMIT)[0]?.body.p as Record<string, unknown> | undefined;
const paid = (name: RegExp) => screen.getByRole('radio', { name });

describe('a form that is left half-way', () => {
  it('is the same on the other screen, with the chosen files', async () => {
    arriveAsAgent(service);
    await visit('/agent/payment');
    await screen.findByText(REFERENCE);
    fillProfile();
    chooseDocuments();
    fireEvent.click(screen.getByRole('link', { name: 'Complete the profile only' }));
    await screen.findByRole('heading', { level: 1, name: 'Complete your profile' });
    expect(screen.getByLabelText('Company name')).toHaveValue('Mori Motors');
    expect(isChosen(IDENTITY, 'passport.pdf')).toBe(true);
    expect(isChosen(COMPANY, 'company.pdf')).toBe(true);
  });

  it('asks before the tab is closed with a file in a tray, and not after the file is gone', async () => {
    arriveAsAgent(service);
    await visit('/agent/profile-completion');
    await screen.findByText('Complete your profile');
    const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isAsked()).toBe(false);
    choose(IDENTITY, fileOf('passport.pdf'));
    await expect.poll(isAsked).toBe(true);
    await press(`Remove: ${IDENTITY}`);
    await expect.poll(isAsked).toBe(false);
  });
});

describe('the fee', () => {
  // ONB-035
  it('is not paid until the agent says so', async () => {
    arriveAsAgent(service);
    await visit('/agent/payment');
    await screen.findByText(REFERENCE);
    expect(paid(/^Not yet/)).toBeChecked();
    expect(paid(/^I have paid/)).not.toBeChecked();
    expect(screen.queryByLabelText('Transaction ID')).toBeNull();
    fillProfile();
    chooseDocuments();
    await press('Submit for Verification');
    await expectToast(
      'Payment & Profile Submitted Successfully!',
      'The fee is still open. Your dashboard shows how to pay it.',
    );
    expect(submitted()).toMatchObject({ payment_method: 'easypaisa', payment_claimed: false });
    expect(agentData()).toMatchObject({ paymentMethod: 'easypaisa', paymentCompleted: false });
  });

  // ONB-006 ONB-035
  it('is paid when the agent says so, also as a guest', async () => {
    await visit('/agent/payment');
    await screen.findByText('You get your own reference as soon as you are signed in as an agent.');
    fillProfile();
    chooseDocuments();
    fireEvent.click(paid(/^I have paid/));
    await press('Submit for Verification');
    await expectToast('Payment & Profile Submitted Successfully!');
    expect(agentData()).toMatchObject({ paymentMethod: 'easypaisa', paymentCompleted: true });
  });

  // ONB-035
  it('is no claim by card, even after the agent said so of another way', async () => {
    arriveAsAgent(service);
    await visit('/agent/payment');
    await screen.findByText(REFERENCE);
    fillProfile();
    chooseDocuments();
    fireEvent.click(paid(/^I have paid/));
    fill('Transaction ID', 'EP-1');
    await openTab('Card');
    expect(screen.queryByRole('radio')).toBeNull();
    await press('Submit for Verification');
    await expectToast(
      'Payment & Profile Submitted Successfully!',
      'Our team will write to you about the card payment.',
    );
    expect(submitted()).toMatchObject({ payment_method: 'card', payment_claimed: false });
    expect(submitted()).not.toHaveProperty('payment_reference');
  });

  it('is asked no more once it has arrived', async () => {
    arriveAsAgent(service, { payment_status: 'received' }, 'pending');
    await visit('/agent/payment');
    expect(await screen.findByText('Your fee has arrived. There is nothing more to pay.')).toBeVisible();
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.queryByRole('radio')).toBeNull();
    fillProfile();
    await press('Submit for Verification');
    await expectToast('Payment & Profile Submitted Successfully!', RECEIVED);
    expect(agentData()).toMatchObject({ paymentCompleted: true });
  });
});

describe('what was handed in before', () => {
  it('need not be chosen again, and is not sent again', async () => {
    arriveAsAgent(service, {}, 'pending');
    await visit('/agent/payment');
    await screen.findByText('licence.pdf');
    fillProfile();
    fireEvent.click(paid(/^I have paid/));
    await press('Submit for Verification');
    await expectToast('Payment & Profile Submitted Successfully!', RECEIVED);
    expect(submitted()).not.toHaveProperty('identity_document_path');
    expect(submitted()).toMatchObject({ payment_claimed: true });
  });

  it('comes again where it was sent back, with the reason beside it', async () => {
    const reason = { identity_document_status: 'refused', identity_document_note: 'The photo is blurred.' };
    arriveAsAgent(service, { status: 'more_info', ...reason });
    await visit('/agent/profile-completion');
    await screen.findByRole('group', { name: IDENTITY });
    expect(await within(tray(IDENTITY)).findByText('Sent back: The photo is blurred.')).toBeVisible();
    expect(within(tray(IDENTITY)).getByText('passport.pdf')).toBeVisible();
    fillProfile();
    await press('Submit Profile');
    await expectToast('Missing Documents', 'Please upload both identity document and company proof.');
    choose(IDENTITY, fileOf('new.pdf'));
    await press('Submit Profile');
    await expectToast('Profile Submitted Successfully!', FEE_OPEN);
    expect(submitted()).toMatchObject({ identity_document_name: 'new.pdf' });
    expect(submitted()).not.toHaveProperty('company_proof_path');
  });
});

it('A file the service refuses is named in its tray, and the others are not sent twice', async () => {
  arriveAsAgent(service);
  const fake = {
    statusCode: '415',
    error: 'invalid_mime_type',
    message: 'mime type application/pdf is not supported',
    code: 'InvalidMimeType',
  };
  service.on(`PUT ${SIGN}*`, ({ body }) =>
    body.name === 'company.pdf' ? json(400, fake) : json(200, { Key: 'x' }),
  );
  await visit('/agent/profile-completion');
  await screen.findByText('Complete your profile');
  fillProfile();
  chooseDocuments();
  await press('Submit Profile');
  await expectToast(
    'Submission Failed',
    'Some files could not be accepted. The reason is shown beside each of them.',
  );
  expect(
    await within(tray(COMPANY)).findByText('This is not a real PDF file. Please choose the original.'),
  ).toBeVisible();
  expect(within(tray(COMPANY)).getByText('company.pdf')).toBeVisible();
  expect(isChosen(IDENTITY, 'passport.pdf')).toBe(true);
  expect(service.asked(SUBMIT)).toEqual([]);
  choose(COMPANY, fileOf('licence.pdf'));
  await press('Submit Profile');
  await expectToast('Profile Submitted Successfully!', FEE_OPEN);
  const sent = service.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body.name);
  expect(sent).toEqual(['passport.pdf', 'company.pdf', 'licence.pdf']);
});

it('The profile picture becomes the avatar', async () => {
  arriveAsAgent(service);
  await visit('/agent/profile-completion');
  await screen.findByText('Complete your profile');
  fillProfile();
  chooseDocuments();
  choose(PICTURE, fileOf('me.png'));
  await press('Submit Profile');
  await expectToast('Profile Submitted Successfully!', FEE_OPEN);
  const [upload] = service.calls.filter(({ path }) => path.includes('/object/profiles/'));
  expect(upload?.path).toBe(`/storage/v1/object/profiles/${userOf().id}/avatar.png`);
  const [change] = service.asked('PATCH /rest/v1/profiles');
  expect(change?.body.avatar_url).toContain(`/object/public/profiles/${userOf().id}/avatar.png?v=`);
  expect(change?.query.user_id).toBe(`eq.${userOf().id}`);
});
