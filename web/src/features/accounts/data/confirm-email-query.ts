/** Redeems the token of a confirmation mail, once, and leaves nobody signed in. */
import { queryOptions } from '@tanstack/react-query';
import { emailConfirmed } from '@/copy/auth';
import { revokeAllSessions } from '@/lib/auth/session';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

/** The account's role as its metadata names it: only used to choose the sign-in page. */
async function confirmEmail(tokenHash: string): Promise<string | null> {
  const { data, error } = await supabase.auth.verifyOtp({ token_hash: tokenHash, type: 'email' });
  if (error) throw toAppError(error, emailConfirmed.failedToast.text);
  const { role, user_type: userType } = data.user?.user_metadata ?? {};
  await revokeAllSessions();
  return String(role ?? userType ?? '') || null;
}

/** A query rather than a mutation: asked twice in one visit (StrictMode), the token is still spent only once. */
export function confirmEmailQueryOptions(tokenHash: string | null) {
  return queryOptions({
    queryKey: ['accounts', 'confirmation', tokenHash] as const,
    queryFn: () => confirmEmail(tokenHash ?? ''),
    enabled: tokenHash !== null,
    staleTime: Infinity,
    retry: false,
  });
}
