/** Saves an offer or lets it go; the card shows the result at once and takes it back if the service refuses. */
import { useQueryClient } from '@tanstack/react-query';
import { postToasts } from '@/copy/posts';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { savedPostKeys } from './keys';

interface SaveRequest {
  postId: string;
  save: boolean;
}

async function writeSaved(userId: string, { postId, save }: SaveRequest): Promise<void> {
  const row = { user_id: userId, post_id: postId };
  const table = supabase.from('saved_posts');
  const { error, status } = await (save ? table.insert(row) : table.delete().match(row));
  if (error) throw toAppError(error, postToasts.saveFailed, status);
}

export function useSavePost(userId: string) {
  const queryClient = useQueryClient();
  const key = savedPostKeys.ids(userId);
  return useMutation({
    mutationFn: (request: SaveRequest) => writeSaved(userId, request),
    onMutate: async ({ postId, save }) => {
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData<string[]>(key) ?? [];
      const others = before.filter((id) => id !== postId);
      queryClient.setQueryData(key, save ? [...others, postId] : others);
      return before;
    },
    onError: (_error, _request, before) => queryClient.setQueryData(key, before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: savedPostKeys.all }),
  });
}
