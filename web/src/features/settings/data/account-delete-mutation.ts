/** Deletes the own account. The service asks for a fresh sign-in by password first. */
import { settings } from '@/copy/settings';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { WrongPasswordError } from './password-mutation';

async function deleteAccount(email: string, password: string): Promise<void> {
  const signIn = await supabase.auth.signInWithPassword({ email, password });
  if (signIn.error) {
    if (signIn.error.code === 'invalid_credentials') {
      throw new WrongPasswordError(settings.danger.confirm.wrong);
    }
    throw toAppError(signIn.error, settings.danger.failed);
  }
  const { error, status } = await supabase.rpc('delete_own_account');
  if (error) throw toAppError(error, settings.danger.failed, status);
}

export function useDeleteAccount(email: string) {
  return useMutation({ mutationFn: (password: string) => deleteAccount(email, password) });
}
