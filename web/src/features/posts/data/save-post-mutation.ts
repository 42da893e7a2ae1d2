/** Saves an offer or lets it go. Saving what is saved already is no error. */
import { toAppError } from '@/lib/errors';
import { useMark, type Mark } from '@/lib/optimistic-ids';
import { supabase } from '@/lib/supabase';
import { savedPostKeys } from './keys';

/** The screen has the words where the service has none. */
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
