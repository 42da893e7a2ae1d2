/** A forgotten password: the mail, and the new password of whoever came by its link. */
import { paths } from '@/config/paths';
import { recovery } from '@/copy/auth';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';

async function sendRecoveryMail(email: string): Promise<void> {
  const redirectTo = `${window.location.origin}${paths.auth}`;
  const { error } = await supabase.auth.resetPasswordForEmail(email, { redirectTo });
  if (error) throw toAppError(error, recovery.failed);
}

/** Whoever knew the old password is signed out elsewhere; that this fails changes nothing about the new one. */
async function setNewPassword(password: string): Promise<void> {
  const { error } = await supabase.auth.updateUser({ password });
  if (error) throw toAppError(error, recovery.notSaved);
  const others = await supabase.auth.signOut({ scope: 'others' });
  if (others.error) console.warn('Sign-out failed', others.error.message);
}

export function useRecoveryMail() {
  return useMutation({ mutationFn: sendRecoveryMail });
}

export function useNewPassword() {
  return useMutation({ mutationFn: setNewPassword });
}
