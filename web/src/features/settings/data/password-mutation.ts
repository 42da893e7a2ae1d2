/** Changes the password, which needs the current one, and signs out every other device. */
import { settings } from '@/copy/settings';
import { validation } from '@/copy/validation';
import { AppError, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import type { PasswordForm } from '../password-schema';

/** The current password is not the one that was typed. */
export class WrongPasswordError extends AppError {}

const WRONG_PASSWORD_CODES = ['current_password_invalid', 'current_password_required'];

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
