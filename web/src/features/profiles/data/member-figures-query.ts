/** What a public profile tells of somebody's work. */
import { queryOptions } from '@tanstack/react-query';
import { publicProfile } from '@/copy/profiles';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

export interface MemberFigures {
  completed_deals: number;
  open_deals: number;
  /** Null as long as nothing was answered lately. */
  response_time: string | null;
}

async function fetchFigures(userId: string, signal: AbortSignal): Promise<MemberFigures | null> {
  const answer = await supabase.rpc('member_figures', { p_member: userId }).abortSignal(signal);
  const [figures] = unwrap(answer, publicProfile.figuresFailed) as MemberFigures[];
  return figures ?? null;
}

export function memberFiguresQueryOptions(userId: string) {
  return queryOptions({
    queryKey: ['profiles', 'figures', userId] as const,
    queryFn: ({ signal }) => fetchFigures(userId, signal),
  });
}
