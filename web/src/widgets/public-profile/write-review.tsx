/** Offered to whom an accepted invitation connects with the member: one review, which can be changed. */
import { useQuery } from '@tanstack/react-query';
import { PenLine } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { publicProfile } from '@/copy/profiles';
import { reviews as copy } from '@/copy/reviews';
import { invitationsQueryOptions } from '@/features/invitations/data/invitations-query';
import { ReviewDialog } from '@/features/reviews/components/review-dialog';
import type { Review } from '@/features/reviews/data/reviews-query';
import { useAuth, type Profile } from '@/lib/auth/auth-context';

interface WriteReviewProps {
  member: Profile;
  reviews: Review[];
}

export function WriteReview({ member, reviews }: WriteReviewProps) {
  const { user } = useAuth();
  const { data: invitations = [] } = useQuery({
    ...invitationsQueryOptions(user?.id ?? ''),
    enabled: user !== null,
  });
  const isConnected = invitations.some(
    ({ status, agent_id: agentId, importer_id: importerId }) =>
      status === 'accepted' && (agentId === member.user_id || importerId === member.user_id),
  );
  if (!user || user.id === member.user_id || !isConnected) return null;
  const own = reviews.find((review) => review.reviewer_id === user.id);
  return (
    <ReviewDialog
      key={own?.updated_at}
      trigger={
        <Button writes size="small" variant="outline">
          <PenLine aria-hidden />
          {own ? copy.edit : copy.write}
        </Button>
      }
      name={member.full_name ?? publicProfile.unknownUser}
      target={{ reviewerId: user.id, reviewedId: member.user_id, reviewId: own?.id ?? null }}
      initial={{ rating: own?.rating ?? 0, comment: own?.comment ?? '' }}
    />
  );
}
