/** Follows or unfollows. Following twice is no error. */
import { toAppError } from '@/lib/errors';
import { useMark, type Mark } from '@/lib/optimistic-ids';
import { supabase } from '@/lib/supabase';
import { followKeys } from './keys';

async function writeFollow(userId: string, { id, isSet }: Mark, failedText: string): Promise<void> {
  const row = { follower_id: userId, following_id: id };
  const table = supabase.from('follows');
  const { error, status } = await (isSet
    ? table.upsert(row, { ignoreDuplicates: true })
    : table.delete().match(row));
  if (error) throw toAppError(error, failedText, status);
}

// DA2-017
/** `failedText` is what the screen says when nothing is known about a failure. */
export function useFollow(userId: string, failedText: string) {
  return useMark({
    ids: followKeys.ids(userId),
    alsoStale: [followKeys.count(userId)],
    write: (mark) => writeFollow(userId, mark, failedText),
  });
}
