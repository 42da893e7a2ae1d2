/** The profile of any member, as everybody who is signed in may read it. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from './errors';
import { supabase } from './supabase';

function selectProfile(userId: string, signal: AbortSignal) {
  return supabase.from('profiles').select('*').eq('user_id', userId).abortSignal(signal).single();
}

// PUA-016, PUA-017, CA2-003, ER2-004, DA2-001..DA2-008
export function memberProfileQueryOptions(userId: string) {
  return queryOptions({
    queryKey: ['profiles', 'member', userId] as const,
    queryFn: async ({ signal }) => unwrap(await selectProfile(userId, signal), errors.fetch.profile),
  });
}
