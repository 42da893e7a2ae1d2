/** What agents change about offers they published. */
import { useQueryClient } from '@tanstack/react-query';
import { editPost as editCopy } from '@/copy/offers';
import { ownPost } from '@/copy/posts';
import { NotFoundError, toAppError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { changesTo } from '../post-changes';
import type { NewPost } from '../post-schema';
import { postKeys } from './keys';
import type { Post } from './posts-query';

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

interface PostEdit {
  post: Post;
  offer: NewPost;
}

async function editPost({ post, offer }: PostEdit): Promise<void> {
  const changes = changesTo(post, offer);
  if (Object.keys(changes).length === 0) return;
  const answer = await supabase.from('agent_posts').update(changes).eq('id', post.id).select('id');
  if (unwrap(answer, editCopy.failed).length === 0) throw new NotFoundError(editCopy.gone.text);
}

function usePostMutation<Variables>(write: (variables: Variables) => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSettled: () => queryClient.invalidateQueries({ queryKey: postKeys.all }),
  });
}

export const useSetAvailability = () => usePostMutation(setAvailability);
export const useEditPost = () => usePostMutation(editPost);
export const useDeletePost = () => usePostMutation(deletePost);
