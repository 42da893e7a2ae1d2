/** Invitations the person sent or received, newest first, with both sides and the request they are about. */
import { errors } from '@/copy/errors';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { invitationKeys } from './keys';

const SELECT = `*,
  agent:profiles!invitations_agent_id_fkey(full_name,country,company_name,avatar_url),
  importer:profiles!invitations_importer_id_fkey(full_name,country,city,company_name,avatar_url,budget_range,interested_car_brands),
  request:car_requests(id,car_make,car_model,year_range,budget_min,budget_max,status)` as const;

function selectInvitations(userId: string, signal: AbortSignal, options: PartOptions) {
  return supabase
    .from('invitations')
    .select(SELECT, options)
    .or(`agent_id.eq.${userId},importer_id.eq.${userId}`)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type Invitation = NonNullable<Awaited<ReturnType<typeof selectInvitations>>['data']>[number];

// DA2-011, DA2-012, DA2-022, ER2-002
export function invitationsQueryOptions(userId: string) {
  return longListOptions(invitationKeys.own(userId), (signal): LongRead<Invitation> => ({
    ask: (options) => selectInvitations(userId, signal, options),
    by: 'created_at',
    id: 'id',
    fallback: errors.fetch.invitations,
  }));
}
