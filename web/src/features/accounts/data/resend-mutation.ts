import { paths } from '@/config/paths';
import { resent } from '@/copy/auth';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';

async function resendConfirmation(email: string): Promise<void> {
  const { error } = await supabase.auth.resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: `${window.location.origin}${paths.emailConfirmed}` },
  });
  if (error) throw toAppError(error, resent.failed);
}

export function useResendConfirmation() {
  return useMutation({ mutationFn: resendConfirmation });
}
