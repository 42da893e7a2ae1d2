/** Follows or unfollows; following twice is no error, and a refusal is taken back on screen. */
import { useQueryClient } from '@tanstack/react-query';
import { postToasts } from '@/copy/posts';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { followKeys } from './keys';

interface FollowRequest {
  agentId: string;
  follow: boolean;
}

async function writeFollow(userId: string, { agentId, follow }: FollowRequest): Promise<void> {
  const row = { follower_id: userId, following_id: agentId };
  const table = supabase.from('follows');
  const { error, status } = await (follow
    ? table.upsert(row, { ignoreDuplicates: true })
    : table.delete().match(row));
  if (error) throw toAppError(error, postToasts.followFailed, status);
}

// DA2-017
export function useFollow(userId: string) {
  const queryClient = useQueryClient();
  const key = followKeys.ids(userId);
  return useMutation({
    mutationFn: (request: FollowRequest) => writeFollow(userId, request),
    onMutate: async ({ agentId, follow }) => {
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData<string[]>(key) ?? [];
      const others = before.filter((id) => id !== agentId);
      queryClient.setQueryData(key, follow ? [...others, agentId] : others);
      return before;
    },
    onError: (_error, _request, before) => queryClient.setQueryData(key, before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: followKeys.all }),
  });
}
