import { Link } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { createPost as copy } from '@/copy/post-form';
import { newPost } from '@/copy/posts';
import { BackButton } from '@/features/posts/components/back-button';
import { CreatePostForm } from '@/features/posts/components/post-forms';
import { PostPermission } from '@/features/posts/components/post-permission';
import { useSignedIn } from '@/lib/auth/auth-context';
import { useNavigate } from '@/lib/navigation/use-navigate';

// ACP-001, ACP-002, ACP-007, ACP-008, ACP-017, ER2-009, RT2-010
export default function CreatePostScreen() {
  const { user, profile } = useSignedIn();
  const navigate = useNavigate();
  if (profile.user_type !== 'agent') return <Denied />;
  return (
    <div className="max-w-[62rem]">
      <div className="flex items-center justify-between gap-4">
        <BackButton />
        <DashboardButton />
      </div>
      <PageHeading className="mt-3">{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">
        {copy.lead}{' '}
        <Link to={paths.agent.importPosts} className="text-primary underline underline-offset-4">
          {newPost.importList}
        </Link>
      </p>
      <PostPermission profile={profile}>
        <CreatePostForm
          agentId={user.id}
          onDone={() => navigate(paths.agent.dashboard)}
          onCancel={() => navigate(paths.agent.dashboard)}
        />
      </PostPermission>
    </div>
  );
}

function Denied() {
  return (
    <div className="mx-auto max-w-xl space-y-6 py-12">
      <PageHeading>{copy.title}</PageHeading>
      <Alert title={copy.denied.title} text={copy.denied.text} />
      <DashboardButton />
    </div>
  );
}

function DashboardButton() {
  return (
    <Button variant="outline" asChild>
      <Link to={paths.agent.dashboard}>{copy.dashboard}</Link>
    </Button>
  );
}
