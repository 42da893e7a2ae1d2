import { ReviewsPage } from '@/features/reviews/components/reviews-page';
import { useSignedIn } from '@/lib/auth/auth-context';

// IMV-001
export default function ImporterReviewsScreen() {
  return <ReviewsPage area="importer" userId={useSignedIn().user.id} />;
}
