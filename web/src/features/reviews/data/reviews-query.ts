/** What was written about somebody, and what somebody wrote, newest first, a page at a time. The service counts. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { tablePages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import { reviewKeys, type ReviewSide } from './keys';
import { changesOf, figuresOf, type Review, type ReviewChanges, type ReviewFigures } from './review-answers';

const PAGE = 20;

const SELECT = {
  about: '*, reviewer:profiles!reviews_reviewer_id_fkey(full_name,avatar_url)',
  by: '*, reviewed:profiles!reviews_reviewed_id_fkey(full_name,avatar_url,user_type)',
} as const;

/** The column that says whose list a review belongs to. */
export const columnOf = { about: 'reviewed_id', by: 'reviewer_id' } as const;

// DA2-015, DA2-016
export function reviewListOptions(side: ReviewSide, userId: string) {
  return {
    ...tablePages<Review>({
      queryKey: reviewKeys.list(side, userId),
      size: PAGE,
      fallback: errors.fetch.reviews,
      by: 'created_at',
      ask: (signal) =>
        supabase.from('reviews').select(SELECT[side]).eq(columnOf[side], userId).abortSignal(signal),
    }),
    // It is told what changes (`follow-reviews.ts`).
    staleTime: Infinity,
  };
}

export function reviewFiguresOptions(userId: string) {
  return queryOptions({
    queryKey: reviewKeys.figures(userId),
    queryFn: ({ signal }) => readFigures(userId, signal),
  });
}

async function readFigures(userId: string, signal: AbortSignal): Promise<ReviewFigures> {
  const answer = await supabase.rpc('review_figures', { p_member: userId }).abortSignal(signal);
  return figuresOf(unwrap(answer, errors.fetch.reviews));
}

/** What changed of a list in the last seconds, and which of the reviews that are shown are gone. */
export async function readReviewChanges(
  side: ReviewSide,
  userId: string,
  seconds: number,
  shown: readonly string[],
): Promise<ReviewChanges> {
  const answer = await supabase.rpc('review_changes', {
    p_member: userId,
    p_side: side,
    p_seconds: seconds,
    p_shown: [...shown],
  });
  return changesOf(unwrap(answer, errors.fetch.reviews));
}
