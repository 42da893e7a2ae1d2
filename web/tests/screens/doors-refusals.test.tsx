import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { hasStoredSession, sessionOf, userOf } from './support/people';
import { ADMIN_EMAIL, authError, json, scriptedService } from './support/service';
import { agent, combined, fillIn, importer, open } from './support/sign-up-doors';
import { expectAddress, expectRefusal, expectToast, fill, openTab, press, visit } from './support/visit';

const service = scriptedService();
const TOKEN = 'POST /auth/v1/token';
const UNCONFIRMED = authError('email_not_confirmed', 'Email not confirmed');

async function signIn(path: string): Promise<void> {
  await visit(path);
  await screen.findByRole('button', { name: 'Sign In' });
  fill('Email', 'anna@example.com');
  fill('Password', 'correct horse');
  await press('Sign In');
}

describe('a refusal', () => {
  it.each([
    ['/auth', '/email-verification'],
    ['/agent/signin', '/email-verification?type=agent'],
    ['/importer/signin', '/email-verification?type=importer'],
  ])('of an unconfirmed address at %s leads to where it is confirmed, with the address', async (path, to) => {
    service.on(TOKEN, UNCONFIRMED);
    await signIn(path);
    fireEvent.click(await screen.findByRole('link', { name: 'Confirm your email' }));
    await expectAddress(to);
    expect(await screen.findByText('anna@example.com')).toBeVisible();
    expect(screen.getByRole('button', { name: 'send it again' })).toBeVisible();
  });

  it('at the wrong door leads to the right one, which knows the address', async () => {
    service.on(TOKEN, json(200, sessionOf(userOf())));
    service.on('GET /rest/v1/profiles', json(200, { user_type: 'importer' }));
    await signIn('/agent/signin');
    await expectRefusal('Access denied: This signin page is for agents only.');
    fireEvent.click(
      within(screen.getByRole('main').querySelector('form') as HTMLElement).getByRole('link', {
        name: 'Importer sign in',
      }),
    );
    await expectAddress('/importer/signin');
    await expect.poll(() => screen.queryByRole('heading', { name: 'Importer sign in' })).not.toBeNull();
    expect(screen.getByLabelText('Email')).toHaveValue('anna@example.com');
  });

  it.each([
    [combined.path, combined, '/auth'],
    [agent.path, agent, '/agent/signin'],
    [importer.path, importer, '/importer/signin'],
  ])('of a known address at %s leads to the sign-in, which knows the address', async (_path, door, to) => {
    service.on('POST /auth/v1/signup', authError('user_already_exists', 'User already registered', 422));
    await open(door);
    await fillIn(door);
    await press(door.submit);
    const form = screen.getByRole('main').querySelector('form') as HTMLElement;
    fireEvent.click(await within(form).findByRole('link', { name: 'Sign in' }));
    await expectAddress(to);
    await screen.findByRole('button', { name: 'Sign In' });
    expect(screen.getByLabelText('Email')).toHaveValue('anna@example.com');
  });

  // AUTH-030 AGSI-012 IMSI-010
  it.each(['/auth', '/agent/signin', '/importer/signin'])(
    'without words at %s is told in ours',
    async (path) => {
      service.on(TOKEN, json(500, {}));
      await signIn(path);
      await expectToast('Sign In Failed', 'Something went wrong. Please try again.');
      await expectRefusal('Something went wrong. Please try again.');
    },
  );

  // ADE-021
  it('of the administrator’s sign-up without words is told in ours', async () => {
    service.on('POST /auth/v1/signup', json(500, {}));
    await visit('/admin/signup');
    await screen.findByRole('button', { name: 'Create Admin Account' });
    fill('Email', ADMIN_EMAIL);
    fill('Password', '123456');
    await press('Create Admin Account');
    await expectRefusal('Error: An unexpected error occurred. Please try again.');
  });

  // ADE-028
  it('of the administrator’s login without words is told in ours', async () => {
    service.on(TOKEN, json(500, {}));
    await visit('/admin/login');
    await screen.findByRole('button', { name: 'Sign In' });
    fill('Email', ADMIN_EMAIL);
    fill('Password', '123456');
    await press('Sign In');
    await expectRefusal('An unexpected error occurred. Please try again.');
  });

  // ADE-027
  it('of a foreign account at the administrator’s login stays to be read, though it had a session for a moment', async () => {
    let answer: (response: Response) => void = () => undefined;
    service.on('POST /auth/v1/logout', () => new Promise((resolve) => (answer = resolve)));
    service.on(TOKEN, () => json(200, sessionOf(userOf({ email: 'other@example.com' }))));
    await visit('/admin/login');
    await screen.findByRole('button', { name: 'Sign In' });
    fill('Email', ADMIN_EMAIL);
    fill('Password', '123456');
    await press('Sign In');
    await expect.poll(() => service.asked('POST /auth/v1/logout')).toHaveLength(1);
    expect(screen.queryByText('Access Denied')).toBeNull();
    answer(new Response(null, { status: 204 }));
    await expectRefusal('Unauthorized access.');
    expect(screen.getByLabelText('Email')).toHaveValue(ADMIN_EMAIL);
    expect(hasStoredSession()).toBe(false);
  });
});

describe('a link of a mail that is spent', () => {
  const SPENT = '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid';

  it.each(['/auth', '/agent/signin', '/importer/signin', '/admin/login'])(
    'says so at %s and offers another',
    async (path) => {
      service.on('POST /auth/v1/recover', json(200, {}));
      await visit(path + SPENT);
      await expectRefusal('This link did not work: It has been used already, or it is too old.');
      await press('Send me a new one');
      const dialog = within(await screen.findByRole('dialog', { name: 'Reset your password' }));
      fireEvent.change(dialog.getByLabelText('Email'), { target: { value: 'anna@example.com' } });
      await press('Send the link');
      await expectToast('Email sent', 'If an account has this address, a link is on its way.');
      expect(service.asked('POST /auth/v1/recover')[0]?.query.redirect_to).toBe(
        window.location.origin + (path === '/admin/login' ? path : '/auth'),
      );
      await expect.poll(() => screen.queryByText(/This link did not work/)).toBeNull();
    },
  );
});

describe('a forgotten password', () => {
  it('is asked about with the address that was typed, and its code opens the new one', async () => {
    service.on('POST /auth/v1/recover', json(200, {}));
    service.on('POST /auth/v1/verify', json(200, sessionOf(userOf())));
    await visit('/importer/signin');
    await screen.findByRole('button', { name: 'Sign In' });
    fill('Email', 'anna@example.com');
    await press('Forgot password?');
    const dialog = within(await screen.findByRole('dialog', { name: 'Reset your password' }));
    expect(dialog.getByLabelText('Email')).toHaveValue('anna@example.com');
    await press('Send the link');
    fireEvent.change(await screen.findByLabelText('Confirmation code'), { target: { value: '12 34 56' } });
    await press('Continue');
    await expectAddress('/auth');
    expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    expect(service.asked('POST /auth/v1/verify')[0]?.body).toMatchObject({
      email: 'anna@example.com',
      token: '123456',
      type: 'recovery',
    });
  });
});

describe('the combined sign-up', () => {
  beforeEach(() => service.on('POST /auth/v1/signup', json(200, userOf())));

  async function register(): Promise<void> {
    await visit('/auth');
    await openTab('Sign Up');
    await screen.findByRole('button', { name: combined.submit });
    await fillIn(combined);
    await press(combined.submit);
    await screen.findByRole('heading', { name: 'Thanks for signing up!' });
  }

  // AUTH-010
  it('that was opened by its tab comes back with what was filled in, but no password', async () => {
    await register();
    await press('Back to Sign Up');
    expect(await screen.findByLabelText('Full name')).toHaveValue('Anna Schmidt');
    expect(screen.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByLabelText('Country')).toHaveTextContent('Germany');
    expect(screen.getByLabelText('Email')).toHaveValue('anna@example.com');
    expect(screen.getByLabelText('Password')).toHaveValue('');
    expect(JSON.stringify(window.history.state)).not.toContain('correct horse');
  });

  it('shows the address, takes the code, sends again and lets the address be corrected', async () => {
    service.on('POST /auth/v1/resend', json(200, {}));
    service.on('POST /auth/v1/verify', json(200, sessionOf(userOf({ metadata: { user_type: 'importer' } }))));
    await register();
    expect(screen.getByText('anna@example.com')).toBeVisible();
    await press('send it again');
    await expect.poll(() => service.asked('POST /auth/v1/resend')[0]?.body.email).toBe('anna@example.com');
    expect(screen.getByRole('link', { name: 'Correct it and sign up again' })).toHaveAttribute(
      'href',
      '/auth',
    );
    fill('Confirmation code', '123456');
    await press('Confirm');
    expect(await screen.findByRole('heading', { name: 'Email Confirmed!' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign In to Your Account' })).toHaveAttribute(
      'href',
      '/importer/signin',
    );
    expect(hasStoredSession()).toBe(false);
  });
});

it('Every field of a sign-up says that it is required', async () => {
  await open(importer);
  expect(screen.getByText('All fields are required.')).toBeVisible();
  for (const control of [
    ...screen.getAllByRole('textbox'),
    screen.getByRole('combobox'),
    screen.getByRole('checkbox'),
  ])
    expect(control).toHaveAttribute('aria-required', 'true');
});

describe('a sign-up that was left half-way', () => {
  it.each([
    [combined.path, combined],
    [agent.path, agent],
    [importer.path, importer],
  ])(
    'at %s is still there after a reload, but for the password, and gone once it is sent',
    async (path, door) => {
      service.on('POST /auth/v1/signup', json(200, userOf()));
      await visit(path);
      if (door === combined) await openTab('Sign Up');
      await screen.findByRole('button', { name: door.submit });
      await fillIn(door);
      window.dispatchEvent(new Event('pagehide'));
      const kept = JSON.stringify(Object.entries(sessionStorage));
      expect(kept).toContain('Anna Schmidt');
      expect(kept).not.toContain('correct horse');
      cleanup();
      await visit(window.location.pathname + window.location.search);
      expect(await screen.findByLabelText('Full name')).toHaveValue('Anna Schmidt');
      expect(screen.getByLabelText('Country')).toHaveTextContent('Germany');
      expect(screen.getByLabelText('Password')).toHaveValue('');
      await fillIn(door);
      if (door.hasConsent && screen.getByRole('checkbox').getAttribute('aria-checked') === 'false')
        fireEvent.click(screen.getByRole('checkbox'));
      await press(door.submit);
      await screen.findByText('anna@example.com');
      expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('Anna Schmidt');
    },
  );
});
