/** Which offers the person has saved, as their ids. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { readAll, type PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { savedPostKeys } from './keys';

async function fetchSavedIds(userId: string, signal: AbortSignal): Promise<string[]> {
  const ask = (options: PartOptions) =>
    supabase.from('saved_posts').select('id,post_id', options).eq('user_id', userId).abortSignal(signal);
  const saved = await readAll({ ask, id: 'id', fallback: errors.fetch.posts });
  return saved.map((row) => row.post_id);
}

export function savedIdsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: savedPostKeys.ids(userId),
    queryFn: ({ signal }) => fetchSavedIds(userId, signal),
  });
}
