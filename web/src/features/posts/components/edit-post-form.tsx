/** The form with a published offer in it. The offer stays the same one, and so do those who saved it. */
import { editPost } from '@/copy/offers';
import { useEditPost } from '../data/post-edit-mutation';
import type { Post } from '../data/posts-query';
import { formOf } from '../post-changes';
import { PostForm } from './post-form';

interface EditPostFormProps {
  post: Post;
  onDone: () => void;
  onCancel: () => void;
}

export function EditPostForm({ post, ...leave }: EditPostFormProps) {
  const { mutate, ...state } = useEditPost();
  return (
    <PostForm
      {...leave}
      agentId={post.agent_id}
      draft={`post-${post.id}`}
      values={formOf(post)}
      words={editPost}
      mutation={{ ...state, mutate: (offer, outcome) => mutate({ post, offer }, outcome) }}
    />
  );
}
