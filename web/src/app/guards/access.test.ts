import type { User } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import type { Profile } from '@/lib/auth/auth-context';
import { decideAccess, decideAdminAccess, type Identity } from './access';

function identity(userType: string | null, { confirmed = true, loading = false } = {}): Identity {
  const user = {
    email: 'person@example.com',
    email_confirmed_at: confirmed ? '2026-01-01T00:00:00Z' : undefined,
  };
  return {
    loading,
    user: user as User,
    profile: userType === null ? null : ({ user_type: userType } as Profile),
  };
}

const nobody: Identity = { loading: false, user: null, profile: null };
const show = { kind: 'show' };
const go = (to: string) => ({ kind: 'go', to });

describe('the rules of a protected area', () => {
  // GRD-007 SES-004
  it('decides nothing while session and profile are being looked at', () => {
    expect(decideAccess({ ...nobody, loading: true }, 'agent')).toEqual({ kind: 'wait' });
  });

  // GRD-003
  it('sends nobody to /auth before any other rule', () => {
    expect(decideAccess(nobody, 'agent')).toEqual(go('/auth'));
  });

  it.each([
    ['agent', '/agent/signin'],
    ['importer', '/importer/signin'],
    [null, '/auth'],
  ])('sends an unconfirmed %s to %s even in the wrong area', (type, to) => {
    expect(decideAccess(identity(type, { confirmed: false }), 'importer')).toEqual(go(to));
  });

  it.each([
    ['importer', 'agent', '/importer/dashboard'],
    ['agent', 'importer', '/agent/dashboard'],
  ] as const)('sends an %s out of the %s area to the own dashboard', (type, area, to) => {
    expect(decideAccess(identity(type), area)).toEqual(go(to));
  });

  it.each([null, 'broker'])('sends a profile of kind %s to /auth', (type) => {
    expect(decideAccess(identity(type), 'agent')).toEqual(go('/auth'));
  });

  // GRD-006
  it('shows the area to its own kind', () => {
    expect(decideAccess(identity('agent'), 'agent')).toEqual(show);
  });

  // GRD-011
  it('shows a public profile to every confirmed person, whatever the kind', () => {
    expect(decideAccess(identity('importer'), null)).toEqual(show);
    expect(decideAccess(identity(null), null)).toEqual(show);
    expect(decideAccess(identity('importer', { confirmed: false }), null)).toEqual(go('/importer/signin'));
  });
});

describe('the back office', () => {
  // GRD-013 ADE-018 ROL-007
  it('opens for the configured address alone, in any case of letters', () => {
    expect(decideAdminAccess(identity(null), 'Person@Example.com')).toEqual(show);
    expect(decideAdminAccess(identity(null), 'boss@example.com')).toEqual(go('/admin/login'));
    expect(decideAdminAccess(nobody, 'boss@example.com')).toEqual(go('/admin/login'));
  });

  it('opens for nobody when no address is configured', () => {
    expect(decideAdminAccess(identity(null), '')).toEqual(go('/admin/login'));
  });
});
