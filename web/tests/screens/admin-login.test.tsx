import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { hasStoredSession, sessionOf, storeSession, userOf } from './support/people';
import { ADMIN_EMAIL, authError, json, pending, scriptedService } from './support/service';
import { address, expectAddress, expectRefusal, expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();

const TOKEN = 'POST /auth/v1/token';
const adminSession = () => sessionOf(userOf({ email: ADMIN_EMAIL }));

async function open(): Promise<void> {
  await visit('/admin/login');
  await screen.findByRole('heading', { level: 1, name: 'Admin Panel' });
}

async function logIn(email = ADMIN_EMAIL, password = '123456'): Promise<void> {
  await open();
  fill('Email', email);
  fill('Password', password);
  await press('Sign In');
}

describe('the administrator’s login', () => {
  // ADE-008 ADE-009 RTE-013
  it('is a card of an address, a password that can be shown, and one button', async () => {
    await open();
    expect(screen.getByLabelText('Email')).toBeVisible();
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
    await press('Show password');
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeEnabled();
  });

  // ADE-015 ADE-016
  it('wants a valid address and six characters', async () => {
    await logIn('boss@', '12345');
    await screen.findByText('Please enter a valid email address');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
      'Password must be at least 6 characters',
    );
    expect(service.calls).toEqual([]);
  });

  // ADE-017 ADE-023
  it('refuses every other address before any call', async () => {
    await logIn('someone@example.com');
    const text = 'Unauthorized access. Only authorized administrators can access this area.';
    await expectToast(text);
    await expectRefusal(text);
    expect(service.calls).toEqual([]);
  });

  // ADE-009 ADE-030
  it('ends the session of this browser first, and says that it is at work', async () => {
    const { answer, resolve } = pending();
    service.on(TOKEN, answer);
    await open();
    fill('Email', ADMIN_EMAIL);
    fill('Password', '123456');
    const { access_token: token } = storeSession();
    await press('Sign In');
    await expect.poll(() => service.asked(TOKEN)).toHaveLength(1);
    expect(service.asked('POST /auth/v1/logout')).toMatchObject([
      { query: { scope: 'local' }, authorization: `Bearer ${token}` },
    ]);
    expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
    resolve(authError('invalid_credentials', 'Invalid login credentials'));
    await screen.findByRole('button', { name: 'Sign In' });
  });

  // ADE-024 ADE-025 ADE-026 ADE-028
  it.each([
    [
      'wrong credentials',
      authError('invalid_credentials', 'Invalid login credentials'),
      'Invalid email or password. If you just signed up, please check your email and confirm your account first.',
    ],
    [
      'an unconfirmed address',
      authError('email_not_confirmed', 'Email not confirmed'),
      'Please check your email and click the confirmation link before logging in.',
    ],
    ['any other refusal', authError('user_banned', 'User is banned', 403), 'Login failed: User is banned'],
  ])('has words for %s', async (_kind, answer, text) => {
    service.on(TOKEN, answer);
    await logIn();
    await expectToast(text);
    await expectRefusal(text);
  });

  // ADE-028
  it('has words of its own for what nobody foresaw', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    service.on(TOKEN, json(200, adminSession()));
    await logIn();
    await expectRefusal('An unexpected error occurred. Please try again.');
  });

  // ADE-027
  it('turns away whom the service names otherwise, and leaves no session', async () => {
    service.on(TOKEN, json(200, sessionOf(userOf({ email: 'other@example.com' }))));
    await logIn();
    await expectRefusal('Unauthorized access.');
    await expectToast('Unauthorized access.');
    expect(hasStoredSession()).toBe(false);
    expect(localStorage.getItem('adminData')).toBeNull();
  });

  // ADE-029 ADE-031 ADE-032 ADE-034
  it('leads to the back office and leaves its mark', async () => {
    service.on(TOKEN, json(200, adminSession()));
    await logIn();
    await expectAddress('/admin');
    await expectToast('Welcome to the admin dashboard!');
    expect(JSON.parse(localStorage.getItem('adminData') ?? '{}')).toEqual({
      email: ADMIN_EMAIL,
      role: 'Super Admin',
      loginAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
    });
  });

  // ADE-011
  it('lets the administrator straight in, in place of itself', async () => {
    storeSession(adminSession());
    await visit('/');
    await screen.findByRole('banner');
    const before = window.history.length;
    await visit('/admin/login');
    await expectAddress('/admin');
    expect(window.history.length).toBe(before + 1);
  });
});

describe('another person', () => {
  // ADE-012 ADE-013
  it('is denied, and can go home or sign out', async () => {
    storeSession();
    await open();
    await expectRefusal('Access Denied: You must be logged in as admin to view this page');
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
    expect(screen.getByRole('button', { name: 'Sign Out and Try Again' })).toBeVisible();
    expect(screen.queryByLabelText('Password')).toBeNull();
  });

  // GRD-010 GRD-013
  it('never gets past the login, whatever mark the browser carries', async () => {
    localStorage.setItem('adminData', JSON.stringify({ email: ADMIN_EMAIL, role: 'Super Admin' }));
    storeSession();
    await visit('/admin/agents');
    await expectAddress('/admin/login');
    expect(address()).toBe('/admin/login');
  });
});
