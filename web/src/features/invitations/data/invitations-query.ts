/** Invitations the person sent or received, newest first, with both sides and the request they are about. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { invitationKeys } from './keys';

const SELECT = `*,
  agent:profiles!invitations_agent_id_fkey(full_name,country,company_name,avatar_url),
  importer:profiles!invitations_importer_id_fkey(full_name,country,city,company_name,avatar_url,budget_range,interested_car_brands),
  request:car_requests(id,car_make,car_model,year_range,budget_min,budget_max,status)` as const;

function selectInvitations(userId: string, signal: AbortSignal) {
  return supabase
    .from('invitations')
    .select(SELECT)
    .or(`agent_id.eq.${userId},importer_id.eq.${userId}`)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type Invitation = NonNullable<Awaited<ReturnType<typeof selectInvitations>>['data']>[number];

// DA2-011, DA2-012, DA2-022, ER2-002
export function invitationsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: invitationKeys.own(userId),
    queryFn: async ({ signal }) => unwrap(await selectInvitations(userId, signal), errors.fetch.invitations),
  });
}
