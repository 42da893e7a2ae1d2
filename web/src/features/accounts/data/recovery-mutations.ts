/** A forgotten password: the mail, and the new password of whoever came by its link. */
import { paths } from '@/config/paths';
import { mailCode, recovery } from '@/copy/auth';
import { loadClient } from '@/lib/auth/load-client';
import { toAppError } from '@/lib/errors';
import { useMutation } from '@/lib/use-mutation';
import { refusalOfToken } from './confirm-email';

/** `page` is where the link leads. */
async function sendRecoveryMail(email: string, page: string): Promise<void> {
  const redirectTo = `${window.location.origin}${page}`;
  const supabase = await loadClient();
  const { error } = await supabase.auth.resetPasswordForEmail(email, { redirectTo });
  if (error) throw toAppError(error, recovery.failed);
}

interface RecoveryCode {
  email: string;
  code: string;
}

/** As the link does: the session it begins is one that still has to choose a password. */
async function redeemRecoveryCode({ email, code }: RecoveryCode): Promise<void> {
  const supabase = await loadClient();
  const { error } = await supabase.auth.verifyOtp({ email, token: code, type: 'recovery' });
  if (error) throw refusalOfToken(error, mailCode.refused);
}

/** Whoever knew the old password is signed out elsewhere; that this fails changes nothing about the new one. */
async function setNewPassword(password: string): Promise<void> {
  const supabase = await loadClient();
  const { error } = await supabase.auth.updateUser({ password });
  if (error) throw toAppError(error, recovery.notSaved);
  const others = await supabase.auth.signOut({ scope: 'others' });
  if (others.error) console.warn('Sign-out failed', others.error.message);
}

export function useRecoveryMail(page: string = paths.auth) {
  return useMutation({ mutationFn: (email: string) => sendRecoveryMail(email, page) });
}

export function useRecoveryCode() {
  return useMutation({ mutationFn: redeemRecoveryCode });
}

export function useNewPassword() {
  return useMutation({ mutationFn: setNewPassword });
}
