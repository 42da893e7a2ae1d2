import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { answerProfile, arriveSignedIn, hasStoredSession, storeSession } from './support/people';
import { authError, json, pending, scriptedService } from './support/service';
import { address, expectAddress, visit } from './support/visit';

const service = scriptedService();

describe('an area', () => {
  // GRD-001 GRD-007 SES-004
  it('decides nothing before the profile is known, and says that it loads', async () => {
    let answer: (response: Response) => void = () => undefined;
    arriveSignedIn(service, null);
    service.on('GET /rest/v1/profiles', () => new Promise((resolve) => (answer = resolve)));
    await visit('/importer/dashboard');
    await expect.poll(() => service.asked('GET /rest/v1/profiles')).toHaveLength(1);
    await expect.poll(() => screen.getByRole('status').textContent).toBe('Loading...');
    within(screen.getByRole('main')).getByRole('heading', { level: 1, name: 'Loading...' });
    expect(address()).toBe('/importer/dashboard');
    answerProfile(service, { user_type: 'agent' });
    answer(json(200, { user_id: 'x', user_type: 'agent' }));
    await expectAddress('/agent/dashboard');
    // what the dashboard asks must not be counted as another test's
    await expect.poll(() => service.asked('POST /rest/v1/rpc/invitation_counts').length).toBeGreaterThan(0);
  });

  // GRD-002
  it('of the administrator says that access is being verified', async () => {
    const { answer } = pending();
    arriveSignedIn(service, null);
    service.on('GET /rest/v1/profiles', answer);
    await visit('/admin/agents');
    await expect.poll(() => screen.getByRole('status').textContent).toBe('Verifying admin access...');
  });

  // GRD-003
  it.each(['/agent/feed', '/importer/feed', '/agent/profile/x', '/importer/profile/x'])(
    'at %s sends nobody to /auth, without a call',
    async (path) => {
      await visit(path);
      await expectAddress('/auth');
      expect(service.calls).toEqual([]);
    },
  );

  // GRD-004 SES-003
  it.each([
    ['agent', '/agent/signin'],
    ['importer', '/importer/signin'],
  ])('sends an unconfirmed %s to the own sign-in', async (type, to) => {
    arriveSignedIn(service, type, { isConfirmed: false });
    await visit('/agent/feed');
    await expectAddress(to);
  });

  // GRD-005 GRD-008 GRD-009 GRD-012
  it.each([
    ['agent', '/importer/messages', '/agent/dashboard'],
    ['importer', '/agent/messages', '/importer/dashboard'],
  ])('sends an %s who opens %s to the own dashboard, whatever the metadata claim', async (type, path, to) => {
    const other = type === 'agent' ? 'importer' : 'agent';
    arriveSignedIn(service, type, { metadata: { role: other, user_type: other } });
    await visit(path);
    await expectAddress(to);
  });

  // RTE-047
  it.each(['agent', 'importer'])('of the %s opens at the dashboard', async (type) => {
    arriveSignedIn(service, type);
    await visit(`/${type}`);
    await expectAddress(`/${type}/dashboard`);
  });
});

describe('the own profile', () => {
  // SES-029 SES-030 SES-031 SES-042 DAT-001
  it('is read whole, as one row, with key and token; columns nobody knows do no harm', async () => {
    const { access_token: token, user } = arriveSignedIn(service, 'importer', { profile: { shoe_size: 44 } });
    await visit('/importer/dashboard');
    expect(await screen.findByRole('heading', { name: 'Welcome back, Anna Schmidt' })).toBeVisible();
    const own = service.asked('GET /rest/v1/profiles').find((call) => call.query.user_id);
    expect(own).toMatchObject({
      query: { select: '*', user_id: `eq.${user.id}` },
      apikey: 'public-key',
      authorization: `Bearer ${token}`,
    });
  });

  // SES-013
  it('that cannot be read is only logged: loading ends, and there is none', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    storeSession();
    service.on('GET /rest/v1/profiles', json(400, { code: 'XX000', message: 'broken' }));
    await visit('/');
    expect(await screen.findByText('Your profile is not ready yet')).toBeVisible();
    expect(warn).toHaveBeenCalledWith('Profile could not be read', 'Failed to fetch profile');
    expect(screen.queryByText('broken')).toBeNull();
  });
});

describe('signing out', () => {
  // SES-005 SES-006 SES-007 SES-040 SES-041
  it('ends every session at the service while the token is still there, then forgets the person', async () => {
    const { access_token: token } = arriveSignedIn(service, 'importer');
    await visit('/importer/dashboard');
    const kept = ['theme'];
    const gone = ['supabase.auth.x', 'old-sb-token', 'agentData', 'importerData', 'demo-tour'];
    for (const storage of [localStorage, sessionStorage])
      [...kept, ...gone].forEach((key) => storage.setItem(key, '{}'));
    (await screen.findByRole('button', { name: 'Sign Out' })).click();
    await expectAddress('/auth');
    expect(service.asked('POST /auth/v1/logout')).toMatchObject([
      { query: { scope: 'global' }, authorization: `Bearer ${token}` },
    ]);
    expect(Object.keys(localStorage)).toEqual(kept);
    expect(Object.keys(sessionStorage)).toEqual(kept);
    expect(screen.queryByText(/Anna Schmidt/)).toBeNull();
  });

  // SES-012
  it('that fails is only logged: the person leaves all the same', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    arriveSignedIn(service, 'importer');
    service.on('POST /auth/v1/logout', authError('unexpected_failure', 'no', 500));
    await visit('/importer/dashboard');
    (await screen.findByRole('button', { name: 'Sign Out' })).click();
    await expectAddress('/auth');
    expect(warn).toHaveBeenCalledWith('Sign-out failed', expect.anything());
    expect(hasStoredSession()).toBe(false);
    expect(document.querySelector('[data-sonner-toast]')).toBeNull();
  });
});

// NFD-001..NFD-003 RTE-014
it('An address nobody knows says so and leads home', async () => {
  await visit('/no/such/page');
  expect(await screen.findByRole('heading', { name: '404' })).toBeVisible();
  expect(screen.getByText('Oops! Page not found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
});

// RTE-048 PRD-001
it('The terms say what is done here and what is not', async () => {
  await visit('/terms');
  expect(await screen.findByRole('heading', { name: 'Terms of use' })).toBeVisible();
  expect(
    screen.getByText('We execute no trade, hold no money, ship no car and take no commission on a deal.'),
  ).toBeVisible();
});
