/** Which conversations the person has reported and the team has not closed. */
import { queryOptions } from '@tanstack/react-query';
import { reports } from '@/copy/reports';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

export const reportKeys = { own: (userId: string) => ['reports', userId] as const };

function selectReports(userId: string, signal: AbortSignal) {
  return supabase
    .from('conversation_reports')
    .select('id,counterpart_id,status,created_at')
    .eq('reporter_id', userId)
    .neq('status', 'closed')
    .order('created_at', { ascending: false })
    .limit(200)
    .abortSignal(signal);
}

export function ownReportsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: reportKeys.own(userId),
    queryFn: async ({ signal }) => unwrap(await selectReports(userId, signal), reports.readFailed),
  });
}
