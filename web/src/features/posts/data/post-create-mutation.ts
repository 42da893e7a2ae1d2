/** Publishes an offer. The documented insert never carries the availability; another choice follows as an update. */
import { useQueryClient } from '@tanstack/react-query';
import { createPost } from '@/copy/post-form';
import { ForbiddenError, toAppError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import type { NewPost } from '../post-schema';
import { postKeys } from './keys';

const DEFAULT_AVAILABILITY = 'available';

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
