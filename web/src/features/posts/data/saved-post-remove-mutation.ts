/** Takes a car off the saved list by the id of its entry: at once on screen, back again if the service refuses. */
import { useQueryClient } from '@tanstack/react-query';
import { savedCars } from '@/copy/cars';
import { toAppError } from '@/lib/errors';
import { lookForNewRows } from '@/lib/live-rows';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { savedPostKeys } from './keys';
import type { SavedPost } from './saved-posts-query';

async function removeSaved(id: string): Promise<void> {
  const { error, status } = await supabase.from('saved_posts').delete().eq('id', id);
  if (error) throw toAppError(error, savedCars.removeFailed, status);
}

export function useRemoveSavedPost(userId: string) {
  const queryClient = useQueryClient();
  const key = savedPostKeys.list(userId);
  return useMutation({
    mutationFn: removeSaved,
    onMutate: async (id) => {
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData<SavedPost[]>(key);
      queryClient.setQueryData<SavedPost[]>(key, (saved) => saved?.filter((entry) => entry.id !== id));
      return before;
    },
    onError: (_error, _id, before) => queryClient.setQueryData(key, before),
    onSettled: (_answer, error) =>
      error
        ? queryClient.invalidateQueries({ queryKey: savedPostKeys.all })
        : lookForNewRows(queryClient, savedPostKeys.all),
  });
}
