/** Takes a car off the saved list by the id of its entry: at once on screen, back in its place if the service refuses. */
import { useQueryClient } from '@tanstack/react-query';
import { savedCars } from '@/copy/cars';
import { toAppError } from '@/lib/errors';
import { dropRow, patchRow, placeRow } from '@/lib/lists/patches';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { offerKeys, savedPostKeys } from './keys';
import type { Offer } from './offer-answers';
import type { SavedPost } from './saved-posts-query';

async function removeSaved({ id }: SavedPost): Promise<void> {
  const { error, status } = await supabase.from('saved_posts').delete().eq('id', id);
  if (error) throw toAppError(error, savedCars.removeFailed, status);
}

export function useRemoveSavedPost(userId: string) {
  const client = useQueryClient();
  const key = savedPostKeys.list(userId);
  const count = savedPostKeys.count(userId);
  const countBy = (more: number) =>
    client.setQueryData<number>(count, (known) => known && Math.max(0, known + more));
  return useMutation({
    variablesKey: ({ id }: SavedPost) => id,
    mutationFn: removeSaved,
    onMutate: ({ id }) => {
      dropRow(client, key, id);
      countBy(-1);
    },
    onError: (_error, entry) => {
      placeRow<SavedPost>(client, key, entry, ({ created_at: at }) => at < entry.created_at);
      countBy(1);
    },
    onSuccess: (_answer, { post_id: postId }) => {
      patchRow<Offer>(client, offerKeys.lists, postId, (row) => ({ ...row, is_saved: false }));
    },
  });
}
