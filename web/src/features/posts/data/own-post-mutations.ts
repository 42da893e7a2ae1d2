/** What agents do with offers they published, without opening them. */
import { useQueryClient } from '@tanstack/react-query';
import { ownPost } from '@/copy/posts';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import type { NewPost } from '../post-schema';
import { dropRow, patchRow } from '@/lib/lists/patches';
import { offerKeys, postKeys } from './keys';
import type { Offer } from './offer-answers';

interface AvailabilityChange {
  id: string;
  status: NewPost['availability'];
}

async function setAvailability({ id, status: availability }: AvailabilityChange): Promise<void> {
  const { error, status } = await supabase
    .from('agent_posts')
    .update({ availability_status: availability })
    .eq('id', id);
  if (error) throw toAppError(error, ownPost.changeFailed, status);
}

async function deletePost(id: string): Promise<void> {
  const { error, status } = await supabase.from('agent_posts').delete().eq('id', id);
  if (error) throw toAppError(error, ownPost.deleteFailed, status);
}

export function usePostMutation<Variables>(write: (variables: Variables) => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSettled: () => queryClient.invalidateQueries({ queryKey: postKeys.all }),
  });
}

/** Lists show at once what was written; the change that the service tells them of comes later, or not without a line. */
export function useSetAvailability() {
  const client = useQueryClient();
  return usePostMutation(async (change: AvailabilityChange) => {
    await setAvailability(change);
    const shown = { availability_status: change.status };
    patchRow<Offer>(client, offerKeys.lists, change.id, (row) => ({ ...row, ...shown }));
  });
}

export function useDeletePost() {
  const client = useQueryClient();
  return usePostMutation(async (id: string) => {
    await deletePost(id);
    dropRow(client, offerKeys.lists, id);
  });
}
