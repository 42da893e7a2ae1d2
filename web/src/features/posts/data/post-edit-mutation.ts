import { editPost as copy } from '@/copy/offers';
import { NotFoundError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { changesTo } from '../post-changes';
import type { NewPost } from '../post-schema';
import { usePostMutation } from './own-post-mutations';
import type { Post } from './posts-query';

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
