import { useQuery } from '@tanstack/react-query';
import { ClipboardList, PenLine, Search } from 'lucide-react';
import { Link } from 'react-router-dom';
import { AgentWaiting } from '@/widgets/dashboards/agent-waiting';
import { PageHeading } from '@/components/page-heading';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { agentDashboard as copy } from '@/copy/dashboards';
import { navigation } from '@/copy/navigation';
import { importerFeed } from '@/copy/directory';
import { invite } from '@/copy/requests';
import { PotentialImporters } from '@/features/importers/components/potential-importers';
import { InviteButton } from '@/features/invitations/components/invite-button';
import { RecentActivity } from '@/features/invitations/components/recent-activity';
import { invitationCountsOptions } from '@/features/invitations/data/invitations-query';
import { recentInvitations } from '@/features/invitations/own-lists';
import { useInvitations } from '@/features/invitations/use-invitations';
import { VerificationPanel } from '@/features/onboarding/components/verification-panel';
import { postKeys } from '@/features/posts/data/keys';
import { ownPostCountQueryOptions } from '@/features/posts/data/counts-query';
import { useSignedIn } from '@/lib/auth/auth-context';
import { countOf } from '@/lib/query-state';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useFreshReads } from '@/lib/realtime/use-fresh-reads';

// AGD-001..AGD-004, RT2-007
export default function AgentDashboardScreen() {
  const { user, profile } = useSignedIn();
  const latest = useInvitations({ userId: user.id, ...recentInvitations, isAtTop: () => true });
  const isVerified = profile.verification_status === 'verified';
  return (
    <div className="space-y-6">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <PageHeading title={navigation.agent.dashboard}>
            {copy.welcome(profile.full_name ?? user.email ?? '')}
          </PageHeading>
          <p className="mt-1 text-muted-foreground">
            {isVerified ? copy.subtitle.verified : copy.subtitle.other}
          </p>
        </div>
        {isVerified && <QuickActions isVerified />}
      </header>
      {!isVerified && (
        <>
          <VerificationPanel agentId={user.id} />
          <QuickActions isVerified={false} />
        </>
      )}
      <AgentWaiting userId={user.id} isVerified={isVerified} />
      <Figures userId={user.id} />
      <RecentActivity invitations={latest} />
      <PotentialImporters
        action={(importer) =>
          importer.allow_invitations && (
            <InviteButton
              sender={{ id: user.id, type: profile.user_type }}
              invitation={{
                importer: { id: importer.user_id, name: importer.full_name ?? copy.unknownUser },
              }}
              label={importerFeed.invite}
              sentTitle={invite.sentFromStrip}
              size="small"
              variant="outline"
              className="w-auto"
            />
          )
        }
      />
    </div>
  );
}

/** One thing to do is the first: for a new agent that is the verification. */
function QuickActions({ isVerified }: { isVerified: boolean }) {
  const actions = [
    {
      to: paths.agent.createPost,
      label: copy.actions.create,
      icon: PenLine,
      variant: isVerified ? 'primary' : 'outline',
    },
    { to: paths.agent.requests, label: copy.actions.requests, icon: ClipboardList, variant: 'outline' },
    { to: paths.agent.importerFeed, label: copy.actions.importers, icon: Search, variant: 'outline' },
  ] as const;
  return (
    <nav
      aria-label={copy.actions.label}
      className="flex w-full flex-col gap-3 sm:w-auto sm:flex-row sm:flex-wrap"
    >
      {actions.map(({ to, label, icon: Icon, variant }) => (
        <Button key={to} writes={to === paths.agent.createPost} variant={variant} asChild>
          <Link to={to}>
            <Icon aria-hidden />
            {label}
          </Link>
        </Button>
      ))}
    </nav>
  );
}

function Figures({ userId }: { userId: string }) {
  const posts = useQuery(ownPostCountQueryOptions(userId));
  useFreshReads(
    tableChanges.agentPosts,
    [postKeys.ownCount(userId)],
    ({ kind, row }) => kind === 'DELETE' || row.agent_id === userId,
  );
  const { data: counts, isError } = useQuery(invitationCountsOptions(userId));
  const failed = isError ? null : undefined;
  const deals = counts && counts.accepted + counts.departed;
  return (
    <StatTiles>
      <StatTile label={copy.tiles.posts} value={countOf(posts)} hint={copy.tileHints.posts} />
      <StatTile label={copy.tiles.sent} value={counts?.sent ?? failed} hint={copy.tileHints.sent} />
      <StatTile
        label={copy.tiles.accepted}
        value={counts?.accepted ?? failed}
        hint={copy.tileHints.accepted}
      />
      <StatTile label={copy.tiles.deals} value={deals ?? failed} hint={copy.tileHints.deals} />
    </StatTiles>
  );
}
