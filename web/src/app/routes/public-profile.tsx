/** The page of a member, as everybody who is signed in sees it. */
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { useNavigate } from '@/lib/navigation/use-navigate';
import { MessageBar } from '@/widgets/public-profile/message-link';
import { ProfileActions } from '@/widgets/public-profile/profile-actions';
import { WriteReview } from '@/widgets/public-profile/write-review';
import { EmptyState } from '@/components/empty-state';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { dashboardPath, paths, type UserType } from '@/config/paths';
import { errors } from '@/copy/errors';
import { publicProfile } from '@/copy/profiles';
import { AgentOffers } from '@/features/posts/components/agent-offers';
import { AboutCard } from '@/features/profiles/components/about-card';
import { IdentityCard } from '@/features/profiles/components/identity-card';
import { memberFiguresQueryOptions } from '@/features/profiles/data/member-figures-query';
import { PublicReviews } from '@/features/reviews/components/public-reviews';
import { reviewFiguresOptions } from '@/features/reviews/data/reviews-query';
import { useAuth, type Profile } from '@/lib/auth/auth-context';
import { NotFoundError } from '@/lib/errors';
import { isUuid } from '@/lib/ids';
import { memberProfileQueryOptions } from '@/lib/member-profile-query';

// PUA-001, PUA-003, PUI-006
export default function PublicProfileScreen({ kind }: { kind: UserType }) {
  const { memberId = '' } = useParams();
  return <PublicProfile key={memberId} kind={kind} memberId={memberId} />;
}

function PublicProfile({ kind, memberId }: { kind: UserType; memberId: string }) {
  const isId = isUuid(memberId);
  const query = useQuery({ ...memberProfileQueryOptions(memberId), enabled: isId });
  const { data, error } = query;
  if (!isId || error instanceof NotFoundError || (data && data.user_type !== kind)) {
    return <Missing kind={kind} />;
  }
  return (
    <div className="max-w-[68rem]">
      <BackButton />
      {!data && <PageHeading className="sr-only">{publicProfile[kind].title}</PageHeading>}
      <QueryView query={query} error={errors.fetch.profile} pending={<ProfileSkeleton />}>
        {(profile) => <Member profile={profile} />}
      </QueryView>
    </div>
  );
}

function Member({ profile }: { profile: Profile }) {
  const { data: figures } = useQuery(reviewFiguresOptions(profile.user_id));
  return (
    <>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:items-start">
        <IdentityCard
          profile={profile}
          rating={figures?.summary}
          figures={<MemberFigures userId={profile.user_id} />}
          actions={<ProfileActions member={profile} />}
        />
        <div className="min-w-0 space-y-6">
          <AboutCard profile={profile} />
          {profile.user_type === 'agent' && <AgentOffers agentId={profile.user_id} pathOf={paths.car} />}
          <PublicReviews
            userId={profile.user_id}
            total={figures?.summary.total}
            action={<WriteReview member={profile} figures={figures} />}
          />
        </div>
      </div>
      <MessageBar member={profile} />
    </>
  );
}

/** A page that was opened in a tab of its own has nothing behind it: then Back leads to the dashboard. */
function useGoBack(): () => void {
  const navigate = useNavigate();
  const home = dashboardPath(useAuth().profile?.user_type) ?? paths.home;
  return () => (window.history.length > 1 ? navigate(-1) : navigate(home));
}

function BackButton() {
  return (
    <Button variant="ghost" className="mb-3 -ml-3 px-2" onClick={useGoBack()}>
      <ArrowLeft aria-hidden />
      {publicProfile.back}
    </Button>
  );
}

function Missing({ kind }: { kind: UserType }) {
  const { title, text } = publicProfile[kind].missing;
  const goBack = useGoBack();
  return (
    <div className="mx-auto max-w-xl rounded-card border bg-card py-6">
      <PageHeading className="sr-only">{title}</PageHeading>
      <EmptyState
        title={title}
        text={text}
        action={<Button onClick={goBack}>{publicProfile.goBack}</Button>}
      />
    </div>
  );
}

function ProfileSkeleton() {
  return (
    <div aria-busy className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <Skeleton className="h-96 rounded-card" />
      <div className="space-y-6">
        <Skeleton className="h-64 rounded-card" />
        <Skeleton className="h-48 rounded-card" />
      </div>
    </div>
  );
}

/** Deals and the time an answer takes; gaps are shown. */
function MemberFigures({ userId }: { userId: string }) {
  const { data, error } = useQuery(memberFiguresQueryOptions(userId));
  if (error) return null;
  const figures = [
    [publicProfile.completed, data?.completed_deals],
    [publicProfile.open, data?.open_deals],
    [publicProfile.response, data?.response_time?.replace(/^[WM]/, (letter) => letter.toLowerCase())],
  ] as const;
  return (
    <dl
      aria-label={publicProfile.figures}
      aria-busy={data === undefined}
      className="divide-y border-t text-small"
    >
      {figures.map(([label, value]) => (
        <div key={label} className="flex min-h-11 items-center justify-between gap-4 px-4 py-2">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd className="text-right figures">{value ?? publicProfile.gap}</dd>
        </div>
      ))}
    </dl>
  );
}
