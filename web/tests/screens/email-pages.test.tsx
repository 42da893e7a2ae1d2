import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { hasStoredSession, sessionOf, userOf } from './support/people';
import { authError, json, pending, scriptedService } from './support/service';
import { expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();

const VERIFY = 'POST /auth/v1/verify';
const RESEND = 'POST /auth/v1/resend';
const LINK = '/email-confirmed?token_hash=pkce_hash&type=email';

describe('the link of the confirmation mail', () => {
  // EML-001 EML-002 EML-004 EML-005 EML-006 SES-018
  it.each([
    [{ role: 'agent' }, '/agent/signin'],
    [{ user_type: 'importer' }, '/importer/signin'],
    [{}, '/auth'],
  ])('confirms the account of %j and leads to %s', async (metadata, to) => {
    service.on(VERIFY, json(200, sessionOf(userOf({ metadata }))));
    await visit(LINK);
    expect(await screen.findByRole('heading', { name: 'Email Confirmed!' })).toBeVisible();
    expect(screen.getByText('Your account is now activated and ready to use.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign In to Your Account' })).toHaveAttribute('href', to);
    expect(service.asked(VERIFY).map((call) => call.body)).toEqual([
      expect.objectContaining({ token_hash: 'pkce_hash', type: 'email' }),
    ]);
  });

  // EML-007
  it('leaves nobody signed in', async () => {
    const session = sessionOf(userOf({ metadata: { role: 'agent' } }));
    service.on(VERIFY, json(200, session));
    await visit(LINK);
    await screen.findByRole('heading', { name: 'Email Confirmed!' });
    expect(service.asked('POST /auth/v1/logout')).toMatchObject([
      { authorization: `Bearer ${session.access_token}` },
    ]);
    expect(hasStoredSession()).toBe(false);
  });

  // EML-015
  it('says that it is at work', async () => {
    service.on(VERIFY, pending().answer);
    await visit(LINK);
    expect(await screen.findByText('Confirming your email...')).toBeVisible();
  });

  // EML-008 EML-015
  it('that was used or forged says so, and offers a new one', async () => {
    service.on(VERIFY, authError('otp_expired', 'Email link is invalid or has expired', 403));
    service.on(RESEND, json(200, {}));
    await visit(LINK);
    const toast = await expectToast(
      'Confirmation failed',
      'There was an error confirming your email. Please try again.',
    );
    expect(toast).toHaveAttribute('data-type', 'error');
    fill('Email', 'anna@example.com');
    await press('Send a new link');
    await expectToast('Email sent', 'If the address waits for confirmation, a new link is on its way.');
    expect(service.asked(RESEND)[0]).toMatchObject({
      query: { redirect_to: `${window.location.origin}/email-confirmed` },
      body: { type: 'signup', email: 'anna@example.com' },
    });
  });

  // EML-003 EML-015
  it.each(['', '?type=email', '?token_hash=abc', '?token_hash=abc&type=recovery', '?token_hash=&type=email'])(
    'with the parameters %j makes no call and offers a new one',
    async (query) => {
      await visit(`/email-confirmed${query}`);
      expect(await screen.findByRole('button', { name: 'Send a new link' })).toBeVisible();
      expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth');
      expect(service.asked(VERIFY)).toEqual([]);
    },
  );
});

describe('the page that says to look for the mail', () => {
  // EML-009 EML-012 EML-014 RTE-004
  it.each([
    ['?type=agent', '/agent/signin'],
    ['?type=importer', '/importer/signin'],
    ['', '/auth'],
    ['?type=broker', '/auth'],
  ])('opened with %j leads the verified to %s', async (query, to) => {
    await visit(`/email-verification${query}`);
    expect(await screen.findByRole('link', { name: 'Already verified? Sign In' })).toHaveAttribute(
      'href',
      to,
    );
  });

  // EML-010 EML-011 EML-013
  it('says that a mail was sent, and what comes next', async () => {
    await visit('/email-verification');
    expect(
      await screen.findByText('We have sent a verification email to the address you gave.'),
    ).toBeVisible();
    const steps = within(screen.getByRole('region', { name: 'Next steps' })).getAllByRole('listitem');
    expect(steps.map((step) => step.lastChild?.textContent)).toEqual([
      'Check your inbox',
      'Click the link in the email',
      'Complete your profile setup',
      'Start connecting with partners',
    ]);
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  });

  // EML-010
  it('names the address it knows, and sends once more on request', async () => {
    service.on(RESEND, json(200, {}));
    await visit('/email-verification?type=agent', { email: 'aiko@example.com' });
    expect(await screen.findByText('aiko@example.com')).toBeVisible();
    await press('send it again');
    await expectToast('Email sent', 'If the address waits for confirmation, a new link is on its way.');
    expect(service.asked(RESEND)[0]?.body).toMatchObject({ type: 'signup', email: 'aiko@example.com' });
  });
});
