/** Open invitations that the team made in favour of an agent. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { invitationKeys } from './keys';

const SELECT = `id,
  importer:profiles!invitations_importer_id_fkey(full_name),
  request:car_requests(car_make,car_model)` as const;
const MOST = 20;

function selectAssigned(agentId: string, signal: AbortSignal) {
  return supabase
    .from('invitations')
    .select(SELECT)
    .eq('agent_id', agentId)
    .eq('is_assigned', true)
    .eq('status', 'sent')
    .order('created_at', { ascending: false })
    .limit(MOST)
    .abortSignal(signal);
}

export function assignedQueryOptions(agentId: string) {
  return queryOptions({
    queryKey: invitationKeys.assigned(agentId),
    queryFn: async ({ signal }) => unwrap(await selectAssigned(agentId, signal), errors.fetch.invitations),
  });
}
