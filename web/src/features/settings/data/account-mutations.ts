/** What a member does with the own account: another password, parts hidden or shown, or its end. */
import { settings } from '@/copy/settings';
import { validation } from '@/copy/validation';
import { AppError, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import type { PasswordForm } from '../password-schema';

/** The current password is not the one that was typed. */
export class WrongPasswordError extends AppError {}

const WRONG_PASSWORD_CODES = ['current_password_invalid', 'current_password_required'];

/** Needs the current one, and signs out every other device. */
async function changePassword({ current, next }: PasswordForm): Promise<void> {
  const { error } = await supabase.auth.updateUser({ password: next, current_password: current });
  if (error) {
    if (WRONG_PASSWORD_CODES.includes(error.code ?? ''))
      throw new WrongPasswordError(validation.currentPassword);
    throw toAppError(error, settings.password.failed);
  }
  await supabase.auth.signOut({ scope: 'others' });
}

export function useChangePassword() {
  return useMutation({ mutationFn: changePassword });
}

/** The service asks for a fresh sign-in by password first. */
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

/** What a member decides about the own profile by a switch. */
export type ProfileSwitchColumn = 'allow_invitations' | 'show_phone';

async function setColumn(userId: string, column: ProfileSwitchColumn, isOn: boolean): Promise<void> {
  const change = column === 'show_phone' ? { show_phone: isOn } : { allow_invitations: isOn };
  const { error, status } = await supabase.from('profiles').update(change).eq('user_id', userId);
  if (error) throw toAppError(error, settings.privacy.failed, status);
}

export function useProfileSwitch(userId: string, column: ProfileSwitchColumn) {
  return useMutation({ mutationFn: (isOn: boolean) => setColumn(userId, column, isOn) });
}
