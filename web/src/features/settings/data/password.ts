/** Another password: what the form asks for, and the change, which needs the current one. */
import { settings } from '@/copy/settings';
import { validation } from '@/copy/validation';
import { AppError, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { z } from '@/lib/zod';

export const passwordSchema = z
  .object({
    current: z.string().check(z.minLength(1, validation.passwordRequired)),
    next: z.string().check(z.minLength(8, validation.passwordSignUp)),
    confirm: z.string(),
  })
  .check(
    z.refine(({ next, confirm }) => next === confirm, {
      error: validation.passwordMatch,
      path: ['confirm'],
      when: () => true,
    }),
  );

export type PasswordForm = z.infer<typeof passwordSchema>;

/** The current password is not the one that was typed. */
export class WrongPasswordError extends AppError {}

const WRONG_PASSWORD_CODES = ['current_password_invalid', 'current_password_required'];

/** Signs out every other device. */
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
