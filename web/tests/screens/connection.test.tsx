import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { app } from '@/copy/app';
import { importerFeed } from '@/copy/directory';
import { errors } from '@/copy/errors';
import { arriveSignedIn, sessionOf, userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();

function setLine(isUp: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isUp);
  act(() => {
    window.dispatchEvent(new Event(isUp ? 'online' : 'offline'));
    onlineManager.setOnline(isUp);
  });
}

async function signIn(): Promise<void> {
  await screen.findByRole('button', { name: 'Sign In' });
  fill('Email', 'anna@example.com');
  fill('Password', 'correct horse');
  await press('Sign In');
}

describe('without a line', () => {
  afterEach(() => setLine(true));

  it('signing in fails at once and says why', async () => {
    await visit('/importer/signin');
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    setLine(false);
    await signIn();
    await expectToast('Sign In Failed', errors.offline);
  });

  it('an area says so under its top bar, until the line is back', async () => {
    arriveSignedIn(service, 'importer');
    await visit('/importer/settings');
    await screen.findByRole('navigation', { name: 'Importer area' });
    expect(screen.queryByText(app.connection.offline)).toBeNull();
    setLine(false);
    expect(screen.getByText(app.connection.offline).closest('[aria-live]')).toHaveAttribute(
      'aria-live',
      'polite',
    );
    setLine(true);
    expect(screen.queryByText(app.connection.offline)).toBeNull();
  });

  it('a list is not read in silence', async () => {
    arriveSignedIn(service, 'importer');
    await visit('/importer/settings');
    await screen.findByRole('navigation', { name: 'Importer area' });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    setLine(false);
    fireEvent.click(screen.getByRole('link', { name: 'Saved Cars' }));
    expect(await screen.findByText(errors.offline)).toBeVisible();
  });
});

describe('a failure', () => {
  // AGSI-012 IMSI-010
  it.each([json(500, {}), new Response('<html>Bad luck</html>', { status: 500 })])(
    'without words for people takes the documented ones',
    async (answer) => {
      service.on('POST /auth/v1/token', answer);
      await visit('/importer/signin');
      await signIn();
      await expectToast('Sign In Failed', errors.generic);
    },
  );

  it('is taken away by the success that follows it', async () => {
    service.on('POST /auth/v1/token', json(500, {}));
    await visit('/importer/signin');
    await signIn();
    await expectToast('Sign In Failed', errors.generic);
    const session = sessionOf(userOf());
    service.on('POST /auth/v1/token', json(200, session));
    arriveSignedIn(service, 'importer');
    await press('Sign In');
    await expectToast('Welcome back!', 'Successfully signed in as an importer.');
    await vi.waitFor(() => expect(screen.queryByText('Sign In Failed')).toBeNull());
  });

  // AIF-014
  it('to read the importers is no proof that there are none', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    arriveSignedIn(service, 'agent');
    const answerWithProfile = json(500, { code: 'XX000', message: 'cache lookup failed' });
    await visit('/agent/settings');
    await screen.findByRole('navigation', { name: 'Agent area' });
    service.on('GET /rest/v1/profiles', answerWithProfile);
    fireEvent.click(screen.getByRole('link', { name: 'Dashboard' }));
    fireEvent.click(await screen.findByRole('link', { name: 'View all' }));
    expect(await screen.findByText(importerFeed.failed)).toBeVisible();
    service.on('GET /rest/v1/profiles', json(200, []));
    await press('Try again');
    await vi.waitFor(() => expect(screen.queryByText(importerFeed.failed)).toBeNull());
  });
});
