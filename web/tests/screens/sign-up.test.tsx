import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { agent, combined, fillIn, importer, open, type Door } from './support/sign-up-doors';
import { storeSession, userOf } from './support/people';
import { authError, json, scriptedService } from './support/service';
import { expectAddress, expectRefusal, expectToast, fill, pick, press } from './support/visit';

const service = scriptedService();

const doors = [combined, agent, importer].map((door) => [door.path, door] as const);

const DUPLICATE = 'An account with this email already exists. Please sign in instead.';

/** Label, what is one character too short, the message, the shortest text that is accepted. */
const rules = [
  ['Full name', 'A', 'Full name must be at least 2 characters', 'Al'],
  ['City', 'X', 'City must be at least 2 characters', 'Ho'],
  ['Phone', '1234567', 'Please enter a valid phone number', '12345678'],
  ['Email', 'anna@', 'Please enter a valid email address', 'anna@example.com'],
  ['Password', '1234567', 'Password must be at least 8 characters', '12345678'],
] as const;
const companyRule = ['Company name', 'S', 'Company name must be at least 2 characters', 'SA'] as const;

/** What follows is not left to the next test. */
const formIsGone = (door: Door) =>
  expect.poll(() => screen.queryByRole('button', { name: door.submit })).toBeNull();

describe.each(doors)('signing up at %s', (_path, door) => {
  const ownRules = door.hasCompany ? [...rules, companyRule] : rules;

  // AUTH-013..AUTH-018 AGSU-002..AGSU-007 IMSU-003..IMSU-008 IMSU-011
  it('says beside each field what is one character too short, and takes the shortest that is allowed', async () => {
    await open(door);
    for (const [label, tooShort] of ownRules) fill(label, tooShort);
    await press(door.submit);
    for (const [label, , message] of ownRules) {
      expect(await screen.findByText(message)).toBeVisible();
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(message));
      expect(screen.getByLabelText(label)).toBeInvalid();
    }
    expect(screen.getByLabelText('Country')).toHaveAccessibleDescription('Please select a country');
    for (const [label, , , accepted] of ownRules) fill(label, accepted);
    await pick('Country', 'germ', 'Germany');
    for (const [label, , message] of ownRules) {
      await expect.poll(() => screen.queryByText(message)).toBeNull();
      expect(screen.getByLabelText(label)).toBeValid();
    }
    await expect.poll(() => screen.queryByText('Please select a country')).toBeNull();
    expect(service.asked('POST /auth/v1/signup')).toEqual([]);
  });

  // AUTH-021 AUTH-022 AGSU-010 AGSU-011 IMSU-012 IMSU-013 SES-015 DAT-003 DAT-004
  it('sends exactly the documented metadata and the address the mail leads to', async () => {
    service.on('POST /auth/v1/signup', json(200, userOf()));
    await open(door);
    await fillIn(door);
    await press(door.submit);
    await expect.poll(() => service.asked('POST /auth/v1/signup')).toHaveLength(1);
    const [call] = service.asked('POST /auth/v1/signup');
    expect(call?.query).toEqual({ redirect_to: `${window.location.origin}/email-confirmed` });
    expect(call?.body).toMatchObject({ email: 'anna@example.com', password: 'correct horse' });
    expect(call?.body.data).toEqual({
      full_name: 'Anna Schmidt',
      country: 'DE',
      city: 'Hamburg',
      phone: '+49 40 1234567',
      ...door.metadata,
    });
    await formIsGone(door);
  });

  // AUTH-024 AGSU-012 IMSU-014
  it('ends every session first, and goes on when that fails', async () => {
    service.on('POST /auth/v1/logout', authError('unexpected_failure', 'no', 500));
    service.on('POST /auth/v1/signup', json(200, userOf()));
    await open(door);
    await fillIn(door);
    const { access_token: token } = storeSession();
    await press(door.submit);
    await expect.poll(() => service.asked('POST /auth/v1/signup')).toHaveLength(1);
    const calls = service.calls.filter((call) => call.path.startsWith('/auth/v1/'));
    expect(calls.map((call) => call.path)).toEqual(['/auth/v1/logout', '/auth/v1/signup']);
    expect(calls[0]).toMatchObject({ query: { scope: 'global' }, authorization: `Bearer ${token}` });
    await formIsGone(door);
  });

  // AUTH-027 AUTH-029 AGSU-013 AGSU-014 IMSU-015 IMSU-016 ERR-002
  it.each([
    ['a refusal', authError('user_already_exists', 'User already registered', 422)],
    ['a user without identities', json(200, userOf({ identities: [] }))],
  ])('recognises a known address in %s', async (_kind, answer) => {
    service.on('POST /auth/v1/signup', answer);
    await open(door);
    await fillIn(door);
    await press(door.submit);
    await expectToast(door.failed, DUPLICATE);
    await expectRefusal(DUPLICATE);
    await expectAddress(door.path);
  });

  // AUTH-029 AGSU-014 IMSU-016 SES-035
  it('shows the words of the service', async () => {
    service.on('POST /auth/v1/signup', authError('weak_password', 'Password is too weak', 422));
    await open(door);
    await fillIn(door);
    await press(door.submit);
    await expectToast(door.failed, 'Password is too weak');
    await expectRefusal('Password is too weak');
  });

  // AUTH-030 AGSU-014 IMSU-016
  it('falls back to words of its own where the service has none', async () => {
    service.on('POST /auth/v1/signup', authError('unexpected_failure', '', 400));
    await open(door);
    await fillIn(door);
    await press(door.submit);
    await expectToast(door.failed, door.fallback);
  });
});

describe.each([agent, importer].map((door) => [door.path, door] as const))('at %s', (_path, door) => {
  // AGSU-008 AGSU-009 IMSU-009 IMSU-010
  it('asks for the same password twice and for the terms', async () => {
    await open(door);
    fill('Password', 'correct horse');
    fill('Confirm password', 'correct house');
    await press(door.submit);
    expect(await screen.findByText("Passwords don't match")).toBeVisible();
    expect(screen.getByRole('checkbox')).toHaveAccessibleDescription(
      'You must agree to the terms and conditions',
    );
    fill('Confirm password', 'correct horse');
    fireEvent.click(screen.getByRole('checkbox'));
    await expect.poll(() => screen.queryByText("Passwords don't match")).toBeNull();
    await expect.poll(() => screen.queryByText('You must agree to the terms and conditions')).toBeNull();
  });

  // AGSU-001 IMSU-001 RTE-048
  it('links the terms and the sign-in of its kind', async () => {
    await open(door);
    const targets = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(targets).toContain('/terms');
    expect(targets).toContain(door === agent ? '/agent/signin' : '/importer/signin');
  });

  // AGSU-015 IMSU-017 IMSU-002 AGSU-016
  it('goes on to the page that says to look for the mail, in place of the form', async () => {
    service.on('POST /auth/v1/signup', json(200, userOf()));
    await open(door);
    const before = window.history.length;
    await fillIn(door);
    await press(door.submit);
    await expectAddress(`/email-verification?type=${door === agent ? 'agent' : 'importer'}`);
    expect(window.history.length).toBe(before);
    expect(await screen.findByText('anna@example.com')).toBeVisible();
  });
});
