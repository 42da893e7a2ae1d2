import { createPost } from '@/copy/post-form';
import { useCreatePost } from '../data/post-create-mutation';
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
