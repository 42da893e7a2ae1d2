import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerProfile, hasStoredSession, sessionOf, storeSession, userOf } from './support/people';
import { authError, json, pending, scriptedService } from './support/service';
import { expectAddress, expectRefusal, expectToast, fill, openTab, press, visit } from './support/visit';

const service = scriptedService();

const TOKEN = 'POST /auth/v1/token';
const PROFILES = 'GET /rest/v1/profiles';

const doors = [
  ['agent', 'importer'],
  ['importer', 'agent'],
] as const;

async function open(path: string, state?: unknown): Promise<void> {
  await visit(path, state);
  await screen.findByRole('button', { name: 'Sign In' });
}

async function signIn(path: string, email = 'anna@example.com', password = 'correct horse'): Promise<void> {
  await open(path);
  fill('Email', email);
  fill('Password', password);
  await press('Sign In');
}

function letIn(userType: string | null, user = userOf()): void {
  service.on(TOKEN, json(200, sessionOf(user)));
  if (userType) answerProfile(service, { user_type: userType });
}

describe.each(doors)('the %s sign-in', (door, other) => {
  const path = `/${door}/signin`;

  // AGSI-001 IMSI-001
  it('links the sign-up of its kind and the other door', async () => {
    await open(path);
    const targets = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(targets).toEqual(expect.arrayContaining([`/${door}/signup`, `/${other}/signin`]));
  });

  // AGSI-002 AGSI-003 IMSI-013
  it('shows the message and the address another page handed over', async () => {
    await open(path, { message: 'Your session has ended.', email: 'anna@example.com' });
    expect(screen.getByText('Your session has ended.')).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('anna@example.com');
  });

  // AGSI-005 AGSI-006 IMSI-003 IMSI-004 CON-001
  it('asks for a valid address and six characters', async () => {
    await signIn(path, 'anna@', '12345');
    await screen.findByText('Please enter a valid email address');
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter a valid email address');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
      'Password must be at least 6 characters',
    );
    expect(service.asked(TOKEN)).toEqual([]);
    letIn(door);
    fill('Email', 'anna@example.com');
    fill('Password', '123456');
    await press('Sign In');
    await expect.poll(() => service.asked(TOKEN)).toHaveLength(1);
  });

  // AGSI-004 AGSI-011 AGSI-013 IMSI-002 IMSI-009 IMSI-011 SES-016
  it('welcomes its own kind on the dashboard, after one look at the type', async () => {
    letIn(door);
    await signIn(path);
    const article = door === 'agent' ? 'an agent' : 'an importer';
    await expectToast('Welcome back!', `Successfully signed in as ${article}.`);
    await expectAddress(`/${door}/dashboard`);
    expect(service.asked(TOKEN)[0]).toMatchObject({
      query: { grant_type: 'password' },
      body: { email: 'anna@example.com', password: 'correct horse' },
    });
    expect(service.asked(PROFILES).map((call) => call.query)).toContainEqual({
      select: 'user_type',
      user_id: `eq.${userOf().id}`,
    });
  });

  // AGSI-014 IMSI-012
  it('ends every session first, and goes on when that fails', async () => {
    service.on('POST /auth/v1/logout', authError('unexpected_failure', 'no', 500));
    letIn(door);
    const { access_token: token } = storeSession();
    await signIn(path);
    await expect.poll(() => service.asked(TOKEN)).toHaveLength(1);
    expect(service.asked('POST /auth/v1/logout')[0]).toMatchObject({
      query: { scope: 'global' },
      authorization: `Bearer ${token}`,
    });
    const order = service.calls.map((call) => call.path);
    expect(order.indexOf('/auth/v1/logout')).toBeLessThan(order.indexOf('/auth/v1/token'));
  });

  // AGSI-007 AGSI-008 AGSI-012 IMSI-005 IMSI-006 IMSI-010 ERR-001 ERR-002
  it.each([
    [
      'wrong credentials',
      authError('invalid_credentials', 'Invalid login credentials'),
      'Invalid credentials: Please check your email and password and try again.',
    ],
    [
      'an unconfirmed address',
      authError('email_not_confirmed', 'Email not confirmed'),
      'Email not confirmed: Please check your email and click the confirmation link before signing in.',
    ],
    ['any other refusal', authError('over_request_rate_limit', 'Slow down', 429), 'Slow down'],
    [
      'a refusal without words',
      authError('unexpected_failure', ''),
      'Something went wrong. Please try again.',
    ],
  ])('tells of %s in a toast and above the form', async (_kind, answer, text) => {
    service.on(TOKEN, answer);
    await signIn(path);
    await expectToast('Sign In Failed', text);
    await expectRefusal(text);
    await expectAddress(path);
  });

  // AGSI-009 IMSI-007
  it('signs out whom the service let in without a confirmed address', async () => {
    letIn(door, userOf({ isConfirmed: false }));
    await signIn(path);
    await expectRefusal(
      'Email not confirmed: Please check your email and click the confirmation link to activate your account.',
    );
    expect(hasStoredSession()).toBe(false);
    expect(service.asked('POST /auth/v1/logout')).toHaveLength(1);
  });

  // AGSI-010 IMSI-008 GRD-012
  it('turns the other kind away and signs it out, whatever its metadata say', async () => {
    letIn(other, userOf({ metadata: { role: door, user_type: door } }));
    await signIn(path);
    await expectRefusal(`Access denied: This signin page is for ${door}s only.`);
    expect(hasStoredSession()).toBe(false);
    expect(service.asked('POST /auth/v1/logout')).toHaveLength(1);
    await expectAddress(path);
  });
});

describe('the combined sign-in', () => {
  // AUTH-001 RTE-002
  it('is the first of two tabs', async () => {
    await open('/auth');
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Sign In', 'Sign Up']);
    expect(screen.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true');
    await openTab('Sign Up');
    expect(await screen.findByLabelText('Full name')).toBeVisible();
  });

  // AUTH-004
  it('sends a person who is signed in already to the start', async () => {
    storeSession();
    await visit('/auth');
    await expectAddress('/');
  });

  // AUTH-011 AUTH-012 CON-001
  it('asks for a valid address and any password', async () => {
    await signIn('/auth', 'anna@', '');
    await screen.findByText('Password is required');
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter a valid email address');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password is required');
    letIn('agent');
    fill('Email', 'anna@example.com');
    fill('Password', '1');
    await press('Sign In');
    await expect.poll(() => service.asked(TOKEN)).toHaveLength(1);
  });

  // AUTH-005 AUTH-006 AUTH-007 AUTH-031
  it.each([
    ['agent', '/agent/dashboard'],
    ['importer', '/importer/dashboard'],
    [null, '/'],
  ])('leads a person of type %s to %s', async (userType, to) => {
    letIn(userType);
    await signIn('/auth');
    await expectToast('Welcome back!', 'You have been successfully signed in.');
    await expectAddress(to);
  });

  // AUTH-023 AUTH-024
  it('starts clean: every session ended, stale keys gone from both storages, a filled-in form kept', async () => {
    const { answer, resolve } = pending();
    service.on('POST /auth/v1/logout', authError('unexpected_failure', 'no', 500));
    service.on(TOKEN, answer);
    await open('/auth');
    const stale = ['supabase.auth.token', 'sb-old-auth-token', 'demo-tour'];
    for (const storage of [localStorage, sessionStorage])
      [...stale, 'agentData', 'theme'].forEach((key) => storage.setItem(key, '{}'));
    const { access_token: token } = storeSession();
    fill('Email', 'anna@example.com');
    fill('Password', 'correct horse');
    await press('Sign In');
    await expect.poll(() => service.asked(TOKEN)).toHaveLength(1);
    expect(service.asked('POST /auth/v1/logout')[0]).toMatchObject({
      query: { scope: 'global' },
      authorization: `Bearer ${token}`,
    });
    expect(Object.keys(localStorage).sort()).toEqual(['agentData', 'theme']);
    expect(Object.keys(sessionStorage).sort()).toEqual(['agentData', 'theme']);
    expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
    resolve(authError('invalid_credentials', 'Invalid login credentials'));
    await screen.findByRole('button', { name: 'Sign In' });
  });

  // AUTH-025 AUTH-026 AUTH-028 AUTH-030 ERR-002
  it.each([
    [
      'wrong credentials',
      authError('invalid_credentials', 'Invalid login credentials'),
      'Invalid email or password. Please check your credentials and try again.',
    ],
    [
      'an unconfirmed address',
      authError('email_not_confirmed', 'Email not confirmed'),
      'Email not confirmed: Please check your email and click the confirmation link before signing in.',
    ],
    ['any other refusal', authError('over_request_rate_limit', 'Slow down', 429), 'Slow down'],
    [
      'a refusal without words',
      authError('unexpected_failure', ''),
      'Something went wrong. Please try again.',
    ],
  ])('tells of %s in a toast and above the form', async (_kind, answer, text) => {
    service.on(TOKEN, answer);
    await signIn('/auth');
    await expectToast('Sign In Failed', text);
    await expectRefusal(text);
    await expectAddress('/auth');
  });
});
