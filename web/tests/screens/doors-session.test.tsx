import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerProfile, arriveSignedIn, hasStoredSession, sessionOf, userOf } from './support/people';
import { ADMIN_EMAIL, authError, json, pending, scriptedService } from './support/service';
import { address, expectAddress, fill, press, visit } from './support/visit';

const service = scriptedService();

async function signIn(): Promise<void> {
  service.on('POST /auth/v1/token', json(200, sessionOf(userOf())));
  answerProfile(service, { user_type: 'importer' });
  await screen.findByRole('button', { name: 'Sign In' });
  fill('Email', 'anna@example.com');
  fill('Password', 'correct horse');
  await press('Sign In');
}

describe('a session from before', () => {
  it.each(['session_not_found', 'user_not_found'])(
    'that the service knows as %s opens nothing',
    async (code) => {
      arriveSignedIn(service, 'importer');
      service.on('GET /auth/v1/user', authError(code, 'gone', 403));
      await visit('/importer/dashboard');
      await expectAddress('/auth');
      expect(hasStoredSession()).toBe(false);
    },
  );

  it('opens the page all the same where the service cannot be asked', async () => {
    arriveSignedIn(service, 'importer');
    service.on('GET /auth/v1/user', json(503, {}));
    await visit('/importer/settings');
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    expect(hasStoredSession()).toBe(true);
  });

  it('of a recovery still asks for the new password after a reload, and for nothing once it was given', async () => {
    const { user } = arriveSignedIn(service, 'importer');
    localStorage.setItem('sb-recovery', user.id);
    service.on('PUT /auth/v1/user', json(200, user));
    await visit('/auth');
    expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    fill('New password', 'a new good password');
    fill('Confirm password', 'a new good password');
    await press('Save password');
    await expectAddress('/importer/dashboard');
    expect(localStorage.getItem('sb-recovery')).toBeNull();
  });

  it('of the administrator reads no profile, and leaves the mark of the back office', async () => {
    const session = arriveSignedIn(service, null, { email: ADMIN_EMAIL });
    const administrator = { ...session, user: { ...session.user, app_metadata: { role: 'admin' } } };
    localStorage.setItem('sb-minato-auth-token', JSON.stringify(administrator));
    await visit('/admin/settings');
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    expect(service.asked('GET /rest/v1/profiles')).toEqual([]);
    expect(localStorage.getItem('adminData')).toContain(ADMIN_EMAIL);
  });
});

describe('signing out', () => {
  it('ends here at once, however long the service takes, and the next sign-in waits for it', async () => {
    const { answer, resolve } = pending();
    arriveSignedIn(service, 'importer');
    service.on('POST /auth/v1/logout', answer);
    await visit('/importer/dashboard');
    (await screen.findByRole('button', { name: 'Sign Out' })).click();
    await expectAddress('/auth');
    await expect.poll(hasStoredSession).toBe(false);
    expect(service.asked('POST /auth/v1/logout')).toHaveLength(1);
    await signIn();
    expect(service.asked('POST /auth/v1/token')).toEqual([]);
    await act(async () => {
      resolve(new Response(null, { status: 204 }));
      await Promise.resolve();
    });
    await expect.poll(() => service.asked('POST /auth/v1/token')).toHaveLength(1);
  });
});

describe('a page that was asked for', () => {
  it.each(['/importer/saved-cars', '/importer/messages?agent=a', '/agent/profile/b'])(
    'waits behind the door: %s',
    async (path) => {
      await visit(path);
      await expectAddress('/auth');
      await signIn();
      await expectAddress(path);
    },
  );

  it('of the other kind of account does not', async () => {
    await visit('/agent/feed');
    await expectAddress('/auth');
    await signIn();
    await expectAddress('/importer/dashboard');
  });

  it('and was left by a sign-out does not', async () => {
    arriveSignedIn(service, 'importer');
    await visit('/importer/saved-cars');
    (await screen.findByRole('button', { name: 'Sign Out' })).click();
    await expectAddress('/auth');
    await signIn();
    await expectAddress('/importer/dashboard');
    expect(address()).toBe('/importer/dashboard');
  });
});
