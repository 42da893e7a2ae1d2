import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { arriveSignedIn, hasStoredSession, sessionOf, userOf } from './support/people';
import { authError, json, scriptedService } from './support/service';
import { expectAddress, expectRefusal, fill, press, visit } from './support/visit';

const service = scriptedService();
const VERIFY = 'POST /auth/v1/verify';
const RESEND = 'POST /auth/v1/resend';
const LINK = '/email-confirmed?token_hash=hash-of-a-mail&type=email';
const confirmed = () => json(200, sessionOf(userOf({ metadata: { role: 'agent' } })));

describe('the page that says to look for the mail', () => {
  it('asks for the address when it is opened by itself, sends the mail again and takes the code', async () => {
    service.on(RESEND, json(200, {}));
    service.on(VERIFY, confirmed());
    await visit('/email-verification?type=agent');
    await screen.findByText(/Which address did you sign up with/);
    fill('Email', 'aiko@example.com');
    await press('Send a new link');
    expect(await screen.findByText('aiko@example.com')).toBeVisible();
    fill('Confirmation code', '654321');
    await press('Confirm');
    await expectAddress('/email-confirmed');
    expect(await screen.findByRole('heading', { name: 'Email Confirmed!' })).toBeVisible();
    expect(service.asked(VERIFY)[0]?.body).toMatchObject({
      email: 'aiko@example.com',
      token: '654321',
      type: 'email',
    });
    fireEvent.click(screen.getByRole('link', { name: 'Sign In to Your Account' }));
    await expectAddress('/agent/signin');
    await screen.findByRole('button', { name: 'Sign In' });
    expect(screen.getByLabelText('Email')).toHaveValue('anna@example.com');
  });

  it('says that a code is wrong, and what a code looks like', async () => {
    service.on(VERIFY, authError('otp_expired', 'Token has expired or is invalid', 403));
    await visit('/email-verification', { email: 'aiko@example.com' });
    await screen.findByText('aiko@example.com');
    fill('Confirmation code', 'abc');
    await press('Confirm');
    expect(await screen.findByText('Please enter the code from the mail')).toBeVisible();
    fill('Confirmation code', '000000');
    await press('Confirm');
    await expectRefusal(
      'That code did not work: It is wrong or too old. Check it, or have the mail sent again.',
    );
  });

  it('lets a mistyped address be replaced', async () => {
    await visit('/email-verification?type=importer', { email: 'ana@example.com' });
    await press('Use another one');
    expect(await screen.findByRole('button', { name: 'Send a new link' })).toBeVisible();
  });

  it('lets a sign-up be corrected with everything but the password', async () => {
    await visit('/email-verification?type=importer', {
      email: 'ana@example.com',
      signup: { fullName: 'Anna Schmidt', email: 'ana@example.com', companyName: 'Schmidt Automobile' },
    });
    fireEvent.click(await screen.findByRole('link', { name: 'Correct it and sign up again' }));
    await expectAddress('/importer/signup');
    expect(await screen.findByLabelText('Full name')).toHaveValue('Anna Schmidt');
    expect(screen.getByLabelText('Company name')).toHaveValue('Schmidt Automobile');
    expect(screen.getByLabelText('Email')).toHaveValue('ana@example.com');
  });
});

describe('the link of the confirmation mail', () => {
  it('opened again says what came of it, without asking the service', async () => {
    service.on(VERIFY, confirmed());
    await visit(LINK);
    await screen.findByRole('heading', { name: 'Email Confirmed!' });
    service.on(VERIFY, authError('otp_expired', 'Email link is invalid or has expired', 403));
    document.body.replaceChildren();
    await visit(LINK);
    expect(await screen.findByRole('heading', { name: 'Email Confirmed!' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign In to Your Account' })).toHaveAttribute(
      'href',
      '/agent/signin',
    );
    expect(service.asked(VERIFY)).toHaveLength(1);
  });

  it('of another account leaves the one that is signed in alone, and says so', async () => {
    const { access_token: mine } = arriveSignedIn(service, 'importer', { email: 'kenji@example.com' });
    const other = sessionOf({ ...userOf({ email: 'aiko@example.com' }), id: 'another' });
    service.on(VERIFY, json(200, other));
    await visit(LINK.replace('a-mail', 'another-mail'));
    await screen.findByRole('heading', { name: 'Email Confirmed!' });
    expect(
      await screen.findByText(
        'You are still signed in here as kenji@example.com. Signing in to the new account ends that.',
      ),
    ).toBeVisible();
    expect(hasStoredSession()).toBe(true);
    expect(service.asked('POST /auth/v1/logout').map((call) => call.authorization)).not.toContain(
      `Bearer ${mine}`,
    );
  });
});
