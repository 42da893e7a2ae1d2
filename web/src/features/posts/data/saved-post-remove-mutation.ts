/** Takes a car off the saved list by the id of its entry: at once on screen, back in its place if the service refuses. */
import { useQueryClient } from '@tanstack/react-query';
import { savedCars } from '@/copy/cars';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { savedPostKeys } from './keys';
import type { SavedPost } from './saved-posts-query';

async function removeSaved({ id }: SavedPost): Promise<void> {
  const { error, status } = await supabase.from('saved_posts').delete().eq('id', id);
  if (error) throw toAppError(error, savedCars.removeFailed, status);
}

export function useRemoveSavedPost(userId: string) {
  const client = useQueryClient();
  const key = savedPostKeys.list(userId);
  const set = (change: (saved: SavedPost[]) => SavedPost[]) =>
    client.setQueryData<SavedPost[]>(key, (saved) => saved && change(saved));
  return useMutation({
    mutationKey: key,
    variablesKey: ({ id }: SavedPost) => id,
    mutationFn: removeSaved,
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey: key });
      const place = client.getQueryData<SavedPost[]>(key)?.findIndex((entry) => entry.id === id) ?? -1;
      set((saved) => saved.filter((entry) => entry.id !== id));
      return place;
    },
    onError: (_error, entry, place) => void set((saved) => withEntry(saved, entry, place)),
    onSuccess: (_answer, { post_id: postId }) =>
      client.setQueryData<string[]>(savedPostKeys.ids(userId), (ids) => ids?.filter((id) => id !== postId)),
    onSettled: (_answer, error) => {
      const isLast = client.isMutating({ mutationKey: key }) === 1;
      const queryKey = error && isLast ? savedPostKeys.all : savedPostKeys.count(userId);
      return client.invalidateQueries({ queryKey });
    },
  });
}

function withEntry(saved: SavedPost[], entry: SavedPost, place = -1): SavedPost[] {
  if (saved.some(({ id }) => id === entry.id)) return saved;
  return place < 0 ? [entry, ...saved] : saved.toSpliced(place, 0, entry);
}
