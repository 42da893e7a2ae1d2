/** Which offers the person has saved, as their ids. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { savedPostKeys } from './keys';

async function fetchSavedIds(userId: string, signal: AbortSignal): Promise<string[]> {
  const answer = await supabase
    .from('saved_posts')
    .select('id,post_id')
    .eq('user_id', userId)
    .abortSignal(signal);
  return unwrap(answer, errors.fetch.posts).map((row) => row.post_id);
}

export function savedIdsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: savedPostKeys.ids(userId),
    queryFn: ({ signal }) => fetchSavedIds(userId, signal),
  });
}
