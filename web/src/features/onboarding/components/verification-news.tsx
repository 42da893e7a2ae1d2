/**
 * Follows the own submission live, for as long as the agent is not verified: what changes is read again, the profile
 * with it, and said once. Shows nothing itself.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { verification as copy } from '@/copy/verification';
import { useAuth } from '@/lib/auth/auth-context';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useFreshReads } from '@/lib/realtime/use-fresh-reads';
import { toastError, toastSuccess } from '@/lib/toast';
import { onboardingKeys, submissionQueryOptions, type VerificationRecord } from '../data/verification-query';
import { newsOf, type News } from '../standing';

export function VerificationNews({ agentId }: { agentId: string }) {
  const { reloadProfile } = useAuth();
  const { data } = useQuery(submissionQueryOptions(agentId));
  useFreshReads(tableChanges.agentVerifications, [onboardingKeys.submission(agentId)]);
  const seen = useRef<VerificationRecord | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const before = seen.current;
    seen.current = data;
    if (before && before.status !== data?.status) reloadProfile();
    const news = newsOf(before, data);
    if (news) announce(news);
  }, [data, reloadProfile]);
  return null;
}

const BAD: readonly News[] = ['missing', 'moreInfo', 'declined'];

function announce(news: News): void {
  const { title, text } = copy.news[news];
  if (BAD.includes(news)) toastError(title, text);
  else toastSuccess(title, text);
}
