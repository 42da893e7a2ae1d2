import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sessionOf, storeSession, userOf } from './support/people';
import { ADMIN_EMAIL, json, scriptedService } from './support/service';
import { expectAddress, expectRefusal, expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();
const administrator = { ...userOf({ email: ADMIN_EMAIL }), app_metadata: { role: 'admin' } };

/** A session of the address that `method` began; the role is not there yet. */
function arrive(method: string): void {
  storeSession(sessionOf(userOf({ email: ADMIN_EMAIL }), undefined, [method]));
}

async function choose(password = 'correct horse', again = password): Promise<void> {
  fill('Password', password);
  fill('Confirm password', again);
  await press('Open the back office');
}

describe('the account of the administrator’s address', () => {
  it('sets a password after the mail, and is let in', async () => {
    arrive('otp');
    await visit('/admin/login');
    await screen.findByRole('heading', { level: 1, name: 'Set your password' });
    service.on('PUT /auth/v1/user', json(200, administrator));
    service.on('POST /auth/v1/token', json(200, sessionOf(administrator, undefined, ['otp'])));
    await choose();
    await expectToast('Welcome to the admin dashboard!');
    await expectAddress('/admin');
    expect(localStorage.getItem('adminData')).toContain(ADMIN_EMAIL);
  });

  it('is told what is wrong with a password before any call', async () => {
    arrive('otp');
    await visit('/admin/login');
    await screen.findByRole('heading', { level: 1, name: 'Set your password' });
    await choose('correct horse', 'correct house');
    expect(await screen.findByText(/do not match|don't match/i)).toBeVisible();
    expect(service.calls.filter((call) => call.method === 'PUT')).toEqual([]);
  });

  it('may ask for a new link where the session is too old', async () => {
    arrive('otp');
    await visit('/admin/login');
    await screen.findByRole('heading', { level: 1, name: 'Set your password' });
    const plain = userOf({ email: ADMIN_EMAIL });
    service.on('PUT /auth/v1/user', json(200, plain));
    service.on('POST /auth/v1/token', json(200, sessionOf(plain, undefined, ['otp'])));
    service.on('POST /auth/v1/recover', json(200, {}));
    await choose();
    await expectRefusal(
      'The back office stays closed: This session is too old. Ask for a new link and set the password by way of it.',
    );
    await press('Send me the link');
    await expectToast('Email sent', 'Open its link in this browser and set your password.');
  });

  it('is sent to its mailbox where no mail was answered, from the back office too', async () => {
    arrive('password');
    service.on('POST /auth/v1/recover', json(200, {}));
    await visit('/admin/agents');
    await expectAddress('/admin/login');
    await screen.findByRole('heading', { level: 1, name: 'One step left' });
    await press('Send me the link');
    await expectToast('Email sent', 'Open its link in this browser and set your password.');
  });
});
