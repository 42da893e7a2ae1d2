/** The session as the library keeps it, read without asking the library, which may be waiting for a server that is silent. */
import type { Session } from '@supabase/supabase-js';

const SESSION_KEY = /^sb-.+-auth-token$/;

export type StoredSession = Pick<Session, 'access_token' | 'refresh_token' | 'expires_at'>;

export function storedSession(): StoredSession | null {
  const key = Object.keys(localStorage).find((name) => SESSION_KEY.test(name));
  try {
    const session = JSON.parse((key && localStorage.getItem(key)) ?? 'null') as StoredSession | null;
    return session?.access_token ? session : null;
  } catch {
    return null;
  }
}

export function hasExpired({ expires_at: end = 0 }: StoredSession, now = Date.now()): boolean {
  return end * 1000 <= now;
}

/** Remembers over a reload that somebody came by the link of a recovery mail; gone with the session (`sb-`). */
const KEY = 'sb-recovery';

export function markRecovery(userId: string): void {
  localStorage.setItem(KEY, userId);
}

export function unmarkRecovery(): void {
  localStorage.removeItem(KEY);
}

export function isMarkedRecovery(userId: string): boolean {
  return localStorage.getItem(KEY) === userId;
}
