import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { sessionOf, storeSession, userOf } from './support/people';
import { ADMIN_EMAIL, authError, json, pending, scriptedService } from './support/service';
import { address, expectAddress, expectRefusal, expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();

const SIGN_UP = 'POST /auth/v1/signup';
const SUBMIT = 'Create Admin Account';
const accepted = () => json(200, userOf({ email: ADMIN_EMAIL }));

async function open(): Promise<void> {
  await visit('/admin/signup');
  await screen.findByRole('heading', { level: 1, name: 'Admin Signup' });
}

async function signUp(email = ADMIN_EMAIL, password = '123456'): Promise<void> {
  await open();
  fill('Email', email);
  fill('Password', password);
  await press(SUBMIT);
}

describe('the administrator’s sign-up', () => {
  // ADE-001 ADE-002 RTE-011
  it('asks for an address and a password that can be shown', async () => {
    await open();
    expect(screen.getByLabelText('Email')).toBeVisible();
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
    await press('Show password');
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
    await press('Show password');
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
  });

  // ADE-015 ADE-016 CON-001
  it('wants a valid address and six characters', async () => {
    await signUp('boss@', '12345');
    await screen.findByText('Please enter a valid email address');
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter a valid email address');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
      'Password must be at least 6 characters',
    );
    expect(service.calls).toEqual([]);
  });

  // ADE-017 ADE-019 ADE-036 CON-007
  it('refuses every other address before any call', async () => {
    await signUp('someone@example.com');
    await expectToast('Access Denied', 'This signup is only for the authorized admin email.');
    await expectRefusal('Access Denied: This signup is only for the authorized admin email.');
    expect(service.calls).toEqual([]);
  });

  // ADE-003 ADE-005
  it('says that it is at work, and names the login as the place the mail leads to', async () => {
    const { answer, resolve } = pending();
    service.on(SIGN_UP, answer);
    await signUp();
    expect(await screen.findByRole('button', { name: 'Creating Account...' })).toBeDisabled();
    await expect.poll(() => service.asked(SIGN_UP)).toHaveLength(1);
    expect(service.asked(SIGN_UP)[0]).toMatchObject({
      query: { redirect_to: `${window.location.origin}/admin/login` },
      body: { email: ADMIN_EMAIL, password: '123456' },
    });
    resolve(authError('weak_password', 'Too weak', 422));
    expect(await screen.findByRole('button', { name: SUBMIT })).toBeEnabled();
  });

  // ADE-004 ADE-022 ADE-033 CON-004
  it('tells of the success and goes to the login after a second and a half', async () => {
    service.on(SIGN_UP, accepted());
    await open();
    fill('Email', ADMIN_EMAIL);
    fill('Password', '123456');
    vi.useFakeTimers();
    void press(SUBMIT);
    await vi.advanceTimersByTimeAsync(1_400);
    expect(address()).toBe('/admin/signup');
    await vi.advanceTimersByTimeAsync(250);
    vi.useRealTimers();
    await expectAddress('/admin/login');
    await expectToast('Signup Successful', 'Admin account created successfully.');
  });

  // ADE-020
  it('repeats the words of the service', async () => {
    service.on(SIGN_UP, authError('weak_password', 'Password is too weak', 422));
    await signUp();
    await expectToast('Signup Failed', 'Password is too weak');
    await expectRefusal('Signup Failed: Password is too weak');
  });

  // ADE-021
  it('has words of its own for what nobody foresaw', async () => {
    service.on(SIGN_UP, json(200, sessionOf(userOf({ email: ADMIN_EMAIL }))));
    await open();
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    fill('Email', ADMIN_EMAIL);
    fill('Password', '123456');
    await press(SUBMIT);
    await expectToast('Error', 'An unexpected error occurred. Please try again.');
    await expectRefusal('Error: An unexpected error occurred. Please try again.');
  });
});

// ADE-006 ADE-033 RTE-012
it('The success page asks to log in, and offers to at once', async () => {
  await visit('/admin/signup-success');
  expect(await screen.findByRole('heading', { name: 'Signup Successful' })).toBeVisible();
  expect(screen.getByText('Please log in to continue.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Log in now' })).toHaveAttribute('href', '/admin/login');
});

it('A person who is signed in can still be told that the address is wrong', async () => {
  storeSession(sessionOf(userOf()));
  await signUp('someone@example.com');
  await expectRefusal('Access Denied: This signup is only for the authorized admin email.');
});
