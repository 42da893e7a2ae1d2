import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerProfile, arriveSignedIn, hasStoredSession } from './support/people';
import { ADMIN_EMAIL, pending, scriptedService } from './support/service';
import { address, expectAddress, press, visit } from './support/visit';

const service = scriptedService();

const header = () => within(screen.getByRole('banner'));

async function open(): Promise<void> {
  await visit('/');
  await screen.findByRole('banner');
}

describe('a person who is signed in', () => {
  // LAND-026 SES-004
  it('sees that the page loads until the profile is known', async () => {
    const { answer } = pending();
    arriveSignedIn(service, null);
    service.on('GET /rest/v1/profiles', answer);
    await visit('/');
    await expect.poll(() => service.asked('GET /rest/v1/profiles')).toHaveLength(1);
    await expect.poll(() => screen.getByRole('status').textContent).toBe('Loading');
    const waiting = within(screen.getByRole('main'));
    expect(waiting.getByRole('heading', { level: 1 }).textContent).toBe('Loading');
  });

  // LAND-027 LAND-028
  it.each(['agent', 'importer'])('as %s is led to the own dashboard', async (type) => {
    arriveSignedIn(service, type);
    await visit('/');
    await expectAddress(`/${type}/dashboard`);
  });

  // LAND-007 LAND-029
  it('with a type nobody knows stays, and is greeted by name', async () => {
    arriveSignedIn(service, 'broker');
    await open();
    expect(header().getByText('Anna Schmidt').parentElement).toHaveTextContent('Welcome, Anna Schmidt');
    expect(address()).toBe('/');
    expect(header().queryByRole('link', { name: /Dashboard/ })).toBeNull();
  });

  // LAND-008 LAND-010 LAND-030 LAND-032 GRD-016 SES-003
  it('without a profile waits, is greeted by address, and can try again or sign out', async () => {
    arriveSignedIn(service, null);
    await open();
    expect(header().getByText('anna@example.com').parentElement).toHaveTextContent(
      'Welcome, anna@example.com',
    );
    const notice = within(screen.getByRole('main'));
    expect(notice.getByText('Your profile is not ready yet')).toBeVisible();
    answerProfile(service, { user_type: 'importer' });
    await press('Retry');
    await expectAddress('/importer/dashboard');
  });

  // GRD-016
  it('without a profile who opens an area comes back here, and nothing goes round in circles', async () => {
    arriveSignedIn(service, null);
    await visit('/agent/dashboard');
    await expectAddress('/');
    expect(await screen.findByText('Your profile is not ready yet')).toBeVisible();
    await within(screen.getByRole('main')).findByRole('button', { name: 'Sign Out' });
  });

  // LAND-010 SES-006 SES-007
  it('signs out from the header', async () => {
    arriveSignedIn(service, null);
    await open();
    header().getByRole('button', { name: 'Sign Out' }).click();
    await expectAddress('/auth');
    expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeVisible();
    expect(hasStoredSession()).toBe(false);
    expect(service.asked('POST /auth/v1/logout')).toMatchObject([{ query: { scope: 'global' } }]);
  });

  // LAND-032
  it('as administrator finds the back office', async () => {
    arriveSignedIn(service, null, { email: ADMIN_EMAIL });
    await open();
    expect(header().getByRole('link', { name: 'Admin Dashboard' })).toHaveAttribute('href', '/admin');
    expect(screen.queryByText('Your profile is not ready yet')).toBeNull();
  });
});
