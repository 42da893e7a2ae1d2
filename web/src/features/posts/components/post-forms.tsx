import { editPost } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import { useCreatePost, useEditPost } from '../data/post-mutations';
import type { Post } from '../data/posts-query';
import { formOf } from '../post-changes';
import { emptyPost } from '../post-schema';
import { PostForm } from './post-form';

interface CreatePostFormProps {
  agentId: string;
  onDone: () => void;
  onCancel: () => void;
}

export function CreatePostForm(props: CreatePostFormProps) {
  const mutation = useCreatePost(props.agentId);
  return <PostForm {...props} draft="post" values={emptyPost} words={createPost} mutation={mutation} />;
}

interface EditPostFormProps {
  post: Post;
  onDone: () => void;
  onCancel: () => void;
}

/** The form with a published offer in it. The offer stays the same one, and so do those who saved it. */
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
