/** The administrator is one configured address, and while signed in leaves a mark in the browser. */
import type { Session } from '@supabase/supabase-js';

const KEY = 'adminData';
const ROLE = 'Super Admin';

export function isAdmin(email: string | undefined, adminEmail: string): boolean {
  return adminEmail !== '' && email?.trim().toLowerCase() === adminEmail.toLowerCase();
}

const MAILED = ['otp', 'magiclink', 'recovery', 'invite', 'email/signup'];

export type MissingStep = 'password' | 'mail';

/**
 * What keeps the account of the address from the role, which the service gives to whoever sets a password in a session
 * that a mail began: the password, or first the mail. Null with the role, and where the session does not tell.
 */
export function missingStep(session: Session | null, adminEmail: string): MissingStep | null {
  if (!session || !isAdmin(session.user.email, adminEmail)) return null;
  const { role, methods } = tokenOf(session.access_token);
  if (role === 'admin' || methods.length === 0) return null;
  return methods.some((method) => MAILED.includes(method)) ? 'password' : 'mail';
}

interface TokenClaims {
  amr?: { method: string }[];
  app_metadata?: { role?: string };
}

/**
 * What the token says, which is what the service goes by: the user beside it has the role a moment earlier, and the
 * back office would be asked for with a token that is refused.
 */
function tokenOf(token: string): { role: string | undefined; methods: string[] } {
  try {
    const claims = atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'));
    const { amr = [], app_metadata: metadata } = JSON.parse(claims) as TokenClaims;
    return { role: metadata?.role, methods: amr.map(({ method }) => method) };
  } catch {
    return { role: undefined, methods: [] };
  }
}

/** Nothing reads the mark to decide what is allowed. */
export function storeAdminData(email: string, now: Date): void {
  localStorage.setItem(KEY, JSON.stringify({ email, role: ROLE, loginAt: now.toISOString() }));
}

/** Who came by the link of a mail passed no login form; the mark is made on arrival. */
export function ensureAdminData(email: string, now: Date): void {
  if (localStorage.getItem(KEY) === null) storeAdminData(email, now);
}

export function removeAdminData(): void {
  localStorage.removeItem(KEY);
}
