/** Which offers the person has saved, as their ids, and the mark that saves one or lets it go. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { toAppError } from '@/lib/errors';
import { useMark, type Mark } from '@/lib/optimistic-ids';
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

/** Saving what is saved already is no error. The screen has the words where the service has none. */
async function writeSaved(userId: string, { id, isSet }: Mark): Promise<void> {
  const row = { user_id: userId, post_id: id };
  const table = supabase.from('saved_posts');
  const { error, status } = await (isSet
    ? table.upsert(row, { onConflict: 'user_id,post_id', ignoreDuplicates: true })
    : table.delete().match(row));
  if (error) throw toAppError(error, '', status);
}

export function useSavePost(userId: string) {
  return useMark({
    ids: savedPostKeys.ids(userId),
    alsoStale: [savedPostKeys.count(userId), savedPostKeys.list(userId)],
    write: (mark) => writeSaved(userId, mark),
  });
}
