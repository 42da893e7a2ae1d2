import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorPanel } from '@/components/error-panel';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { errors } from '@/copy/errors';
import { editPost as copy } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import { BackButton } from '@/features/posts/components/back-button';
import { EditPostForm } from '@/features/posts/components/post-forms';
import { postQueryOptions } from '@/features/posts/data/posts-query';
import { useSignedIn } from '@/lib/auth/auth-context';
import { useNavigate } from '@/lib/navigation/use-navigate';

export default function EditPostScreen() {
  const { postId = '' } = useParams();
  return (
    <div className="max-w-[62rem]">
      <BackButton />
      <PageHeading className="mt-3">{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.lead}</p>
      <Editor key={postId} postId={postId} />
    </div>
  );
}

function Editor({ postId }: { postId: string }) {
  const { user } = useSignedIn();
  const navigate = useNavigate();
  // What is being edited does not change under the person's hands.
  const { data, error, refetch } = useQuery({ ...postQueryOptions(postId), staleTime: Infinity, gcTime: 0 });
  const leave = () => navigate(paths.agent.feed);
  if (data === undefined && error)
    return <ErrorPanel error={error} fallback={errors.fetch.posts} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton className="h-96 w-full" />;
  if (data?.agent_id !== user.id) return <NotYours />;
  return <EditPostForm post={data} onDone={leave} onCancel={leave} />;
}

function NotYours() {
  return (
    <EmptyState
      title={copy.gone.title}
      text={copy.gone.text}
      action={
        <Button asChild>
          <Link to={paths.agent.feed}>{createPost.back}</Link>
        </Button>
      }
      className="rounded-card border bg-card"
    />
  );
}
