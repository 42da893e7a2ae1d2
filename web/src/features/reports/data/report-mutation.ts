/** Opens a conversation to the team. Reporting again while the report is open changes its reason. */
import { useQueryClient } from '@tanstack/react-query';
import { reports } from '@/copy/reports';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { reportKeys } from './own-reports-query';

interface Report {
  reason: string;
  more: string;
}

async function report(counterpartId: string, { reason, more }: Report): Promise<void> {
  const said = more === '' ? reason : `${reason}: ${more}`;
  const { error, status } = await supabase.rpc('report_conversation', {
    p_counterpart: counterpartId,
    p_reason: said,
  });
  if (error) throw toAppError(error, reports.failed, status);
}

export function useReport(userId: string, counterpartId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (said: Report) => report(counterpartId, said),
    onSuccess: () => client.invalidateQueries({ queryKey: reportKeys.own(userId) }),
  });
}
