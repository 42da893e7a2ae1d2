/** Creates an account. A known address is recognised in both ways a service can answer it. */
import { paths, type UserType } from '@/config/paths';
import { signUp as copy } from '@/copy/auth';
import { loadClient } from '@/lib/auth/load-client';
import { revokeAllSessions } from '@/lib/auth/session';
import { ConflictError, toAppError } from '@/lib/errors';
import { useMutation } from '@/lib/use-mutation';

export interface NewAccount {
  email: string;
  password: string;
  /** Dedicated forms send `role`, the combined one `user_type`. */
  metadata: {
    full_name: string;
    country: string;
    city: string;
    phone: string;
    company_name?: string;
    role?: UserType;
    user_type?: UserType;
  };
}

async function signUp({ email, password, metadata }: NewAccount): Promise<void> {
  await revokeAllSessions();
  const supabase = await loadClient();
  const { data, error } = await supabase.auth.signUp({
    email,
    password,
    options: { data: metadata, emailRedirectTo: `${window.location.origin}${paths.emailConfirmed}` },
  });
  // With confirmations on, the service hides a known address behind a user without identities.
  const isKnown = error?.code === 'user_already_exists' || data.user?.identities?.length === 0;
  if (isKnown) throw new ConflictError(copy.duplicate, 'user_already_exists');
  // Where the service has no words, each page has its own.
  if (error) throw toAppError(error, '');
}

export function useSignUp() {
  return useMutation({ mutationFn: signUp });
}
