/** Sessions as the service hands them out, and people who already have one when they arrive. */
import type { Session, User } from '@supabase/supabase-js';
import { json, type Service } from './service';

const STORAGE_KEY = 'sb-minato-auth-token';
const LIFETIME = 3_600;

export interface PersonTraits {
  email?: string;
  isConfirmed?: boolean;
  metadata?: Record<string, unknown>;
  identities?: unknown[];
}

export function userOf(traits: PersonTraits = {}): User {
  const { email = 'anna@example.com', isConfirmed = true, metadata = {}, identities = [{}] } = traits;
  return {
    id: 'b0d2c3f4-0000-4000-8000-000000000001',
    aud: 'authenticated',
    email,
    ...(isConfirmed && { email_confirmed_at: '2026-01-01T00:00:00Z' }),
    user_metadata: metadata,
    app_metadata: {},
    identities: identities as NonNullable<User['identities']>,
    factors: [],
    created_at: '2026-01-01T00:00:00Z',
  };
}

/** `methods` are how it was earned, where the token says so. */
export function sessionOf(user: User, expiresIn = LIFETIME, methods?: string[]): Session {
  const now = Math.floor(Date.now() / 1000);
  const amr = methods?.map((method) => ({ method, timestamp: now }));
  const claims = {
    sub: user.id,
    exp: now + expiresIn,
    iat: now,
    session_id: 'one',
    app_metadata: user.app_metadata,
    ...(amr && { amr }),
  };
  return {
    access_token: `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}.c2ln`,
    refresh_token: 'refresh-1',
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: now + expiresIn,
    user,
  };
}

/** Puts a session where the library keeps it, as a visit before this one would have. */
export function storeSession(session: Session = sessionOf(userOf())): Session {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(session));
  return session;
}

export function hasStoredSession(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== null;
}

/** A person with a session and, unless the type is null, a profile. */
export function arriveSignedIn(
  service: Service,
  userType: string | null,
  { profile = {}, ...traits }: PersonTraits & { profile?: Record<string, unknown> } = {},
): Session {
  const session = storeSession(sessionOf(userOf(traits)));
  if (userType !== null) answerProfile(service, { ...profile, user_type: userType });
  return session;
}

export function answerProfile(service: Service, columns: Record<string, unknown>): void {
  const row = {
    user_id: userOf().id,
    full_name: 'Anna Schmidt',
    country: 'DE',
    verification_status: 'unverified',
    status: 'active',
    ...columns,
  };
  service.on('GET /rest/v1/profiles', (call) => ('user_id' in call.query ? json(200, row) : json(200, [])));
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
