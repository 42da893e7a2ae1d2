/** The administrator's sign-up and login. Any other address is refused before a call is made. */
import { env } from '@/config/env';
import { paths } from '@/config/paths';
import { adminClaim, adminLogin, adminSignUp } from '@/copy/admin';
import { signUp as signUpCopy } from '@/copy/auth';
import { errors } from '@/copy/errors';
import { isAdmin, storeAdminData } from '@/lib/auth/administrator';
import { revokeAllSessions } from '@/lib/auth/session';
import { ConflictError, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { RefusedError, type Refusal } from '../sign-in-outcome';
import type { SignIn } from '../schemas';

function requireAdmin(email: string | undefined, refusal: Refusal): void {
  if (!isAdmin(email, env.adminEmail)) throw new RefusedError(refusal);
}

async function signUpAdmin({ email, password }: SignIn): Promise<void> {
  requireAdmin(email, adminSignUp.denied);
  await revokeAllSessions();
  const { data, error } = await supabase.auth.signUp({
    email,
    password,
    options: { emailRedirectTo: `${window.location.origin}${paths.admin.login}` },
  });
  if (error) throw toAppError(error, errors.unexpected);
  // With confirmations on, the service hides a known address behind a user without identities.
  if (data.user?.identities?.length === 0) throw new ConflictError(signUpCopy.duplicate);
}

async function logInAdmin(credentials: SignIn): Promise<void> {
  requireAdmin(credentials.email, { text: adminLogin.foreign });
  await signOutHere();
  const { data, error } = await supabase.auth.signInWithPassword(credentials);
  if (error) throw toAppError(error, errors.unexpected);
  if (!isAdmin(data.user.email, env.adminEmail)) {
    await signOutHere();
    throw new RefusedError({ text: adminLogin.notAdmin });
  }
  storeAdminData(credentials.email, new Date());
}

/** The service ends the other sessions, and a new token tells of the role. */
async function claimBackOffice(password: string): Promise<void> {
  const { error } = await supabase.auth.updateUser({ password });
  if (error) throw toAppError(error, errors.unexpected);
  const { data, error: stale } = await supabase.auth.refreshSession();
  if (stale) throw toAppError(stale, errors.unexpected);
  if (data.user?.app_metadata.role !== 'admin') throw new RefusedError({ text: adminClaim.stale });
  storeAdminData(data.user.email ?? '', new Date());
}

async function sendClaimMail(email: string): Promise<void> {
  const redirectTo = `${window.location.origin}${paths.admin.login}`;
  const { error } = await supabase.auth.resetPasswordForEmail(email, { redirectTo });
  if (error) throw toAppError(error, adminClaim.notSent);
}

/** Only this browser: a login here ends no session elsewhere. */
async function signOutHere(): Promise<void> {
  const { error } = await supabase.auth.signOut({ scope: 'local' });
  if (error) console.warn('Sign-out failed', error.message);
}

export function useAdminSignUp() {
  return useMutation({ mutationFn: signUpAdmin });
}

/** `onSuccess` is told even when the page has already moved on, because the new session redirects it. */
export function useAdminLogin(onSuccess: () => void) {
  return useMutation({ mutationFn: logInAdmin, onSuccess });
}

/** `onSuccess` is told although the page moves on: the new token redirects it. */
export function useClaim(onSuccess: () => void) {
  return useMutation({ mutationFn: claimBackOffice, onSuccess });
}

export function useClaimMail() {
  return useMutation({ mutationFn: sendClaimMail });
}
