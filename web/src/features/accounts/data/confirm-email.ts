/** Confirms an address by what its mail brought, and sends that mail again. */
import type { AuthError, User } from '@supabase/supabase-js';
import { paths } from '@/config/paths';
import { emailConfirmed, mailCode, resent } from '@/copy/auth';
import { loadClient, loadPassingClient } from '@/lib/auth/load-client';
import type { PassingAuth } from '@/lib/auth/passing-client';
import { AppError, toAppError } from '@/lib/errors';
import { useMutation } from '@/lib/use-mutation';

export interface ConfirmedAccount {
  /** The account's role as its metadata names it: only used to choose the sign-in page. */
  role: string | null;
  email: string | null;
}

interface Verified {
  data: { user: User | null };
  error: AuthError | null;
}

/** Leaves nobody signed in; who is signed in here stays it. */
export async function confirmEmail(
  verify: (auth: PassingAuth) => Promise<Verified>,
): Promise<ConfirmedAccount> {
  const { withPassingClient } = await loadPassingClient();
  return withPassingClient(async (auth) => {
    const { data, error } = await verify(auth);
    if (error) throw refusalOfToken(error, emailConfirmed.failedToast.text);
    const ended = await auth.signOut({ scope: 'global' });
    if (ended.error) console.warn('Sign-out failed', ended.error.message);
    return accountOf(data.user);
  });
}

function accountOf(user: User | null): ConfirmedAccount {
  const { role, user_type: userType } = user?.user_metadata ?? {};
  return { role: String(role ?? userType ?? '') || null, email: user?.email ?? null };
}

/** A code or link that is wrong, spent or too old: the service does not say which. */
export function refusalOfToken(error: AuthError, fallback: string): AppError {
  return error.code === 'otp_expired'
    ? new AppError(mailCode.refused, error.code)
    : toAppError(error, fallback);
}

interface ConfirmationCode {
  email: string;
  code: string;
}

function confirmByCode({ email, code }: ConfirmationCode) {
  return confirmEmail((auth) => auth.verifyOtp({ email, token: code, type: 'email' }));
}

export function useConfirmByCode() {
  return useMutation({ mutationFn: confirmByCode });
}

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
