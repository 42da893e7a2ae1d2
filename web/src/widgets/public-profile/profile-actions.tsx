/** What a viewer can do with a member: write, follow, invite. One's own page says that it is one's own. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { isUserType, paths } from '@/config/paths';
import { publicProfile as copy } from '@/copy/profiles';
import { standing } from '@/copy/standing';
import { invite } from '@/copy/requests';
import { FollowButton } from '@/features/follows/components/follow-button';
import { isFollowingQueryOptions } from '@/features/follows/data/follows';
import { useShowFollowed } from '@/features/posts/data/saves';
import { InviteButton } from '@/features/invitations/components/invite-button';
import { isSuspended, useAuth, type Profile } from '@/lib/auth/auth-context';
import { MessageLink } from './message-link';

// PUA-008, PUA-013..PUA-015, PUA-018
export function ProfileActions({ member }: { member: Profile }) {
  const { user, profile: viewer } = useAuth();
  if (!user || !viewer) return null;
  if (user.id === member.user_id) return <OwnPage type={member.user_type} />;
  if (isSuspended(member)) return <p className="text-center text-muted-foreground">{standing.member}</p>;
  const name = member.full_name ?? copy.unknownUser;
  const mayInvite =
    viewer.user_type === 'agent' && member.user_type === 'importer' && member.allow_invitations;
  return (
    <>
      <MessageLink member={member} className="max-sm:hidden" />
      {mayInvite && (
        <InviteButton
          sender={{ id: user.id, type: viewer.user_type }}
          invitation={{ importer: { id: member.user_id, name } }}
          label={copy.invite}
          sentText={invite.sentShort}
          variant="outline"
          className="flex-1"
          withOwnText
        />
      )}
      <Follow userId={user.id} member={{ id: member.user_id, name }} />
    </>
  );
}

function OwnPage({ type }: { type: string }) {
  return (
    <>
      <p className="text-center text-small text-muted-foreground">{copy.yours}</p>
      {isUserType(type) && (
        <Button variant="outline" asChild className="w-full">
          <Link to={paths[type].profile}>{copy.editOwn}</Link>
        </Button>
      )}
    </>
  );
}

/** Starts as not following, as documented, and is corrected once it is known. */
function Follow({ userId, member }: { userId: string; member: { id: string; name: string } }) {
  const { data: isFollowing = false } = useQuery(isFollowingQueryOptions(userId, member.id));
  const showFollowed = useShowFollowed();
  return (
    <FollowButton
      userId={userId}
      agent={member}
      isFollowing={isFollowing}
      onMark={showFollowed}
      failedText={copy.followFailed}
      size="default"
      className="w-full"
    />
  );
}
