/** Says before the form why somebody may not publish, and what to do about it. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { mayNotPost } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import type { Profile } from '@/lib/auth/auth-context';
import { needsSealQueryOptions } from '@/lib/public-config-query';

interface PostPermissionProps {
  profile: Profile;
  /** The form. */
  children: ReactNode;
}

// ACP-008, ER2-009
export function PostPermission({ profile, children }: PostPermissionProps) {
  const needsSeal = useQuery(needsSealQueryOptions());
  if (profile.status === 'suspended') return <Suspended />;
  if (needsSeal.isPending) return <Skeleton className="h-96 w-full" />;
  if (needsSeal.data && profile.verification_status !== 'verified')
    return <Unverified isPending={profile.verification_status === 'pending'} />;
  return children;
}

function Suspended() {
  const { title, text, action } = mayNotPost.suspended;
  return <Alert title={title} text={text} action={<Step to={paths.agent.support}>{action}</Step>} />;
}

function Unverified({ isPending }: { isPending: boolean }) {
  const { text, pending, action } = mayNotPost.unverified;
  return (
    <Alert
      title={createPost.onlyAgents}
      text={isPending ? pending : text}
      action={!isPending && <Step to={paths.agent.payment}>{action}</Step>}
    />
  );
}

function Step({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button variant="outline" className="mt-3" asChild>
      <Link to={to}>{children}</Link>
    </Button>
  );
}
