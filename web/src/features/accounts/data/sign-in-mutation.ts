/** Signs in at one of three doors. The dedicated ones turn away an unconfirmed address and the other kind of account. */
import type { User } from '@supabase/supabase-js';
import type { UserType } from '@/config/paths';
import { signIn as copy } from '@/copy/auth';
import { errors } from '@/copy/errors';
import { loadClient } from '@/lib/auth/load-client';
import { revokeAllSessions } from '@/lib/auth/session';
import { isStaleKey, removeKeys } from '@/lib/auth/storage-keys';
import { NotFoundError, toAppError } from '@/lib/errors';
import { useMutation } from '@/lib/use-mutation';
import { RefusedError } from '../sign-in-outcome';
import type { SignIn } from '../schemas';

async function signInWithPassword(credentials: SignIn): Promise<User> {
  const supabase = await loadClient();
  const { data, error } = await supabase.auth.signInWithPassword(credentials);
  if (error) throw toAppError(error, errors.generic);
  return data.user;
}

/** The kind of account; null when there is no profile (the administrator has none). */
async function fetchUserType(userId: string): Promise<string | null> {
  const supabase = await loadClient();
  const answer = await supabase.from('profiles').select('user_type').eq('user_id', userId).single();
  const error = answer.error && toAppError(answer.error, errors.fetch.profile, answer.status);
  if (error && !(error instanceof NotFoundError)) throw error;
  return answer.data?.user_type ?? null;
}

async function requireDoor(door: UserType, user: User): Promise<void> {
  if (!user.email_confirmed_at) throw new RefusedError(copy.notActivated);
  if ((await fetchUserType(user.id)) !== door) throw new RefusedError(copy[door].wrongDoor);
}

/** Whoever is turned away holds no session afterwards. */
async function signInAtDoor(door: UserType, credentials: SignIn): Promise<void> {
  await revokeAllSessions();
  const user = await signInWithPassword(credentials);
  try {
    await requireDoor(door, user);
  } catch (error) {
    await revokeAllSessions();
    throw error;
  }
}

/** Answers the kind of account, so that the page knows which dashboard comes next. */
async function signInAnywhere(credentials: SignIn): Promise<string | null> {
  await revokeAllSessions();
  removeKeys(isStaleKey);
  const user = await signInWithPassword(credentials);
  return fetchUserType(user.id);
}

export function useSignInAtDoor(door: UserType) {
  return useMutation({ mutationFn: (credentials: SignIn) => signInAtDoor(door, credentials) });
}

export function useSignInAnywhere() {
  return useMutation({ mutationFn: signInAnywhere });
}
