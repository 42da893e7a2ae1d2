import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { arriveSignedIn, hasStoredSession, sessionOf, storeSession, userOf } from './support/people';
import { authError, json, scriptedService } from './support/service';
import { expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();

const REFRESH = 'POST /auth/v1/token';

/** Loads the app before the clock is taken over, so that nothing waits for a module. */
async function withClock(expiresIn: number, refreshToken: string): Promise<void> {
  await visit('/auth');
  await screen.findByRole('heading', { level: 1, name: /sign in/i });
  storeSession({ ...sessionOf(userOf(), expiresIn), refresh_token: refreshToken });
  vi.useFakeTimers();
  const { supabase } = await import('@/lib/supabase');
  await supabase.auth.startAutoRefresh();
  await vi.advanceTimersByTimeAsync(0);
}

const refreshes = () => service.asked(REFRESH).filter((call) => call.query.grant_type === 'refresh_token');

describe('a session', () => {
  // SES-008 SES-010 SES-017
  it('is looked after every 30 s, and renewed when about 90 s remain', async () => {
    service.on(REFRESH, () => json(200, { ...sessionOf(userOf()), refresh_token: 'refresh-2' }));
    await withClock(155, 'refresh-1');
    await vi.advanceTimersByTimeAsync(55_000);
    expect(refreshes()).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(refreshes().map((call) => call.body)).toEqual([{ refresh_token: 'refresh-1' }]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(refreshes()).toHaveLength(1);
    expect(localStorage.getItem('sb-minato-auth-token')).toContain('refresh-2');
  });

  // SES-011 SES-038
  it.each([502, 503, 504])(
    'survives an answer of %d: tried again after 200 ms, 400 ms, 800 ms …',
    async (status) => {
      let isDown = true;
      service.on(REFRESH, () => (isDown ? json(status, {}) : json(200, sessionOf(userOf()))));
      await withClock(30, `refresh-${status}`);
      const tries: number[] = [];
      const started = Date.now();
      for (let elapsed = 0; elapsed <= 3_200; elapsed += 50) {
        if (refreshes().length > tries.length) tries.push(Date.now() - started);
        await vi.advanceTimersByTimeAsync(50);
      }
      const gaps = tries.slice(1).map((time, index) => time - (tries[index] ?? 0));
      for (const [index, expected] of [200, 400, 800].entries())
        expect(Math.abs((gaps[index] ?? 0) - expected)).toBeLessThanOrEqual(50);
      expect(hasStoredSession()).toBe(true);
      isDown = false;
      await vi.advanceTimersByTimeAsync(40_000);
      expect(hasStoredSession()).toBe(true);
      const before = refreshes().length;
      await vi.advanceTimersByTimeAsync(30_000);
      expect(refreshes()).toHaveLength(before);
    },
  );

  // SES-037
  it('that is gone from the service is gone from the browser once its token has run out', async () => {
    service.on(REFRESH, authError('session_not_found', 'Session not found', 403));
    await withClock(30, 'refresh-gone');
    await vi.advanceTimersByTimeAsync(150_000);
    expect(hasStoredSession()).toBe(false);
  });

  it('that is found to be gone takes what the person had filled in with it, and leaves the theme', async () => {
    service.on(REFRESH, authError('session_not_found', 'Session not found', 403));
    await withClock(30, 'refresh-lost');
    ['agentData', 'importerData', 'theme'].forEach((key) => localStorage.setItem(key, '{}'));
    await vi.advanceTimersByTimeAsync(150_000);
    expect(Object.keys(localStorage)).toEqual(['theme']);
  });

  it('that was gone before the page was opened takes what the person had filled in with it', async () => {
    service.on(REFRESH, authError('session_not_found', 'Session not found', 403));
    storeSession({ ...sessionOf(userOf(), -60), refresh_token: 'refresh-past' });
    localStorage.setItem('agentData', '{}');
    await visit('/importer/dashboard');
    await expect.poll(() => Object.keys(localStorage)).toEqual([]);
  });

  // SES-034
  it('that the service forgot to send is missed in so many words', async () => {
    service.on(REFRESH, json(200, {}));
    await visit('/auth');
    await screen.findByRole('button', { name: 'Sign In' });
    fill('Email', 'anna@example.com');
    fill('Password', 'correct horse');
    await press('Sign In');
    await expectToast('Sign In Failed', 'Auth session or user missing');
  });
});

// CON-008 CON-009
it('The live connection beats every 25 s and comes back after 1, 2, 5 and then every 10 s', async () => {
  arriveSignedIn(service, 'importer');
  await visit('/');
  const { supabase } = await import('@/lib/supabase');
  expect(supabase.realtime.heartbeatIntervalMs).toBe(25_000);
  const delays = [1, 2, 3, 4, 5].map((attempt) => supabase.realtime.reconnectAfterMs(attempt));
  expect(delays).toEqual([1_000, 2_000, 5_000, 10_000, 10_000]);
});
