/** The signed-in person's own profile (all columns: further ones may appear without breaking the guard). */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { NotFoundError, unwrap } from '@/lib/errors';
import type { Profile } from './auth-context';
import { loadClient } from './load-client';

export const profileKeys = {
  all: ['profiles'] as const,
  own: (userId: string | undefined) => ['profiles', 'own', userId] as const,
};

async function fetchProfile(userId: string, signal: AbortSignal): Promise<Profile | null> {
  const supabase = await loadClient();
  const answer = await supabase
    .from('profiles')
    .select('*')
    .eq('user_id', userId)
    .abortSignal(signal)
    .single();
  try {
    return unwrap(answer, errors.fetch.profile);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

export function ownProfileQueryOptions(userId: string | undefined) {
  return queryOptions({
    queryKey: profileKeys.own(userId),
    queryFn: ({ signal }) => fetchProfile(userId ?? '', signal),
    enabled: userId !== undefined,
    staleTime: Infinity,
  });
}
