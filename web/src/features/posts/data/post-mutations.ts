/** Publishes an offer, and changes a published one. */
import { useQueryClient } from '@tanstack/react-query';
import { editPost as copy } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import { ForbiddenError, NotFoundError, toAppError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { changesTo } from '../post-changes';
import type { NewPost } from '../post-schema';
import { postKeys } from './keys';
import { usePostMutation } from './own-post-mutations';
import type { Post } from './posts-query';

const DEFAULT_AVAILABILITY = 'available';

/** The documented insert never carries the availability; another choice follows as an update. */
async function createOffer(agentId: string, { availability, ...offer }: NewPost): Promise<void> {
  const answer = await supabase
    .from('agent_posts')
    .insert({ agent_id: agentId, ...offer })
    .select('id')
    .single();
  const { id } = unwrapCreated(answer);
  if (availability !== DEFAULT_AVAILABILITY) await setAvailability(id, availability);
}

// ACP-008, ER2-009
function unwrapCreated<Data>(answer: { data: Data; error: unknown; status: number }): NonNullable<Data> {
  try {
    return unwrap(answer, createPost.failed);
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    throw new ForbiddenError(createPost.onlyAgents, error.code, { cause: error });
  }
}

async function setAvailability(postId: string, availability: NewPost['availability']): Promise<void> {
  const { error, status } = await supabase
    .from('agent_posts')
    .update({ availability_status: availability })
    .eq('id', postId);
  if (error) throw toAppError(error, createPost.failed, status);
}

// ACP-013, ACP-014, ACP-018
export function useCreatePost(agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (post: NewPost) => createOffer(agentId, post),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: postKeys.all }),
  });
}

interface PostEdit {
  post: Post;
  offer: NewPost;
}

async function editPost({ post, offer }: PostEdit): Promise<void> {
  const changes = changesTo(post, offer);
  if (Object.keys(changes).length === 0) return;
  const answer = await supabase.from('agent_posts').update(changes).eq('id', post.id).select('id');
  if (unwrap(answer, copy.failed).length === 0) throw new NotFoundError(copy.gone.text);
}

export const useEditPost = () => usePostMutation(editPost);
