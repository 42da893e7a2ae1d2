/** Offered to whom an accepted invitation connects with the member: one review, which can be changed. */
import { PenLine } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { publicProfile } from '@/copy/profiles';
import { reviews as copy } from '@/copy/reviews';
import { ReviewDialog } from '@/features/reviews/components/review-dialog';
import type { ReviewFigures } from '@/features/reviews/data/review-answers';
import { useAuth, type Profile } from '@/lib/auth/auth-context';

interface WriteReviewProps {
  member: Profile;
  figures: ReviewFigures | undefined;
}

export function WriteReview({ member, figures }: WriteReviewProps) {
  const { user } = useAuth();
  if (!user || user.id === member.user_id || !figures?.isConnected) return null;
  const { own } = figures;
  return (
    <ReviewDialog
      key={own && `${own.rating} ${own.comment}`}
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
