import { ReviewsPage } from '@/features/reviews/components/reviews-page';
import { useSignedIn } from '@/lib/auth/auth-context';

export default function AgentReviewsScreen() {
  return <ReviewsPage area="agent" userId={useSignedIn().user.id} />;
}
