/** What was written about somebody, and what somebody wrote, newest first. */
import { errors } from '@/copy/errors';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';

export const reviewKeys = {
  all: ['reviews'] as const,
  about: (userId: string) => ['reviews', 'about', userId] as const,
  by: (userId: string) => ['reviews', 'by', userId] as const,
};

const NEWEST_FIRST = { by: 'created_at', id: 'id', fallback: errors.fetch.reviews } as const;

function selectAbout(userId: string, signal: AbortSignal, options: PartOptions) {
  return supabase
    .from('reviews')
    .select('*, reviewer:profiles!reviews_reviewer_id_fkey(full_name,avatar_url)', options)
    .eq('reviewed_id', userId)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type Review = NonNullable<Awaited<ReturnType<typeof selectAbout>>['data']>[number];

// DA2-015, DA2-016
export function reviewsAboutQueryOptions(userId: string) {
  return longListOptions(reviewKeys.about(userId), (signal): LongRead<Review> => ({
    ask: (options) => selectAbout(userId, signal, options),
    ...NEWEST_FIRST,
  }));
}

function selectBy(userId: string, signal: AbortSignal, options: PartOptions) {
  return supabase
    .from('reviews')
    .select('*, reviewed:profiles!reviews_reviewed_id_fkey(full_name,avatar_url,user_type)', options)
    .eq('reviewer_id', userId)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type WrittenReview = NonNullable<Awaited<ReturnType<typeof selectBy>>['data']>[number];

export function reviewsByQueryOptions(userId: string) {
  return longListOptions(reviewKeys.by(userId), (signal): LongRead<WrittenReview> => ({
    ask: (options) => selectBy(userId, signal, options),
    ...NEWEST_FIRST,
  }));
}
