/** What was written about somebody, and what somebody wrote, newest first. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { reviewKeys } from './keys';

function selectAbout(userId: string, signal: AbortSignal) {
  return supabase
    .from('reviews')
    .select('*, reviewer:profiles!reviews_reviewer_id_fkey(full_name,avatar_url)')
    .eq('reviewed_id', userId)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type Review = NonNullable<Awaited<ReturnType<typeof selectAbout>>['data']>[number];

// DA2-015, DA2-016
export function reviewsAboutQueryOptions(userId: string) {
  return queryOptions({
    queryKey: reviewKeys.about(userId),
    queryFn: async ({ signal }) => unwrap(await selectAbout(userId, signal), errors.fetch.reviews),
  });
}

function selectBy(userId: string, signal: AbortSignal) {
  return supabase
    .from('reviews')
    .select('*, reviewed:profiles!reviews_reviewed_id_fkey(full_name,avatar_url,user_type)')
    .eq('reviewer_id', userId)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type WrittenReview = NonNullable<Awaited<ReturnType<typeof selectBy>>['data']>[number];

export function reviewsByQueryOptions(userId: string) {
  return queryOptions({
    queryKey: reviewKeys.by(userId),
    queryFn: async ({ signal }) => unwrap(await selectBy(userId, signal), errors.fetch.reviews),
  });
}
