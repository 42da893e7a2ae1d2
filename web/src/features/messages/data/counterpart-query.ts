/** The profile of somebody the person has not written with yet. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

function selectProfile(userId: string, signal: AbortSignal) {
  return supabase.from('profiles').select('*').eq('user_id', userId).abortSignal(signal).single();
}

export function counterpartQueryOptions(userId: string) {
  return queryOptions({
    queryKey: ['profiles', 'counterpart', userId],
    queryFn: async ({ signal }) => unwrap(await selectProfile(userId, signal), errors.fetch.profile),
  });
}
