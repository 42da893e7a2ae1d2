/** Accepted invitations that went with the importer's account: the deal behind each still counts. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { invitationKeys } from './keys';

async function countDepartedDeals(agentId: string): Promise<number> {
  const answer = await supabase
    .from('deals')
    .select('*', { count: 'exact', head: true })
    .eq('agent_id', agentId)
    .eq('party_left', true);
  return unwrapCount(answer, errors.fetch.counts);
}

// AGD-007
export function departedDealCountQueryOptions(agentId: string) {
  return queryOptions({
    queryKey: [...invitationKeys.all, 'departed-deals', agentId] as const,
    queryFn: () => countDepartedDeals(agentId),
  });
}
