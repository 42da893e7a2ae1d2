/** Writes, changes and deletes a review of one's own. */
import { useQueryClient } from '@tanstack/react-query';
import { reviews } from '@/copy/reviews';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { followOwnReview } from './follow-reviews';

export interface ReviewTarget {
  reviewerId: string;
  reviewedId: string;
  /** The review that is being changed; null for a new one. */
  reviewId: string | null;
}

export interface ReviewText {
  rating: number;
  comment: string;
}

async function saveReview(target: ReviewTarget, { rating, comment }: ReviewText): Promise<void> {
  const text = { rating, comment: comment || null };
  const table = supabase.from('reviews');
  const { error, status } = await (target.reviewId === null
    ? table.insert({ reviewer_id: target.reviewerId, reviewed_id: target.reviewedId, ...text })
    : table.update(text).eq('id', target.reviewId));
  if (error) throw toAppError(error, reviews.saveFailed, status);
}

async function deleteReview(id: string): Promise<void> {
  const { error, status } = await supabase.from('reviews').delete().eq('id', id);
  if (error) throw toAppError(error, reviews.deleteFailed, status);
}

function useReviewMutation<Variables>(write: (variables: Variables) => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: () => followOwnReview(queryClient),
  });
}

export const useSaveReview = (target: ReviewTarget) =>
  useReviewMutation((text: ReviewText) => saveReview(target, text));
export const useDeleteReview = () => useReviewMutation(deleteReview);
