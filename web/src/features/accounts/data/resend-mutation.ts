import { paths } from '@/config/paths';
import { resent } from '@/copy/auth';
import { loadClient } from '@/lib/auth/load-client';
import { toAppError } from '@/lib/errors';
import { useMutation } from '@/lib/use-mutation';

async function resendConfirmation(email: string): Promise<void> {
  const supabase = await loadClient();
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
