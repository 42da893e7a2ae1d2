/** The profile of any member, as everybody who is signed in may read it. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from './errors';
import { supabase } from './supabase';

function selectProfile(userId: string, signal: AbortSignal) {
  return supabase.from('profiles').select('*').eq('user_id', userId).abortSignal(signal).single();
}

export function memberProfileQueryOptions(userId: string) {
  return queryOptions({
    queryKey: ['profiles', 'member', userId] as const,
    queryFn: async ({ signal }) => unwrap(await selectProfile(userId, signal), errors.fetch.profile),
  });
}
