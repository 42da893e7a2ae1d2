/** What is read of invitations: the person's own, those the team made, the request behind one, and their numbers. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { requests } from '@/copy/requests';
import type { Tables as Row } from '@/lib/database.types';
import { unwrap, toAppError, unwrapCount } from '@/lib/errors';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';

export const invitationKeys = {
  all: ['invitations'] as const,
  own: (userId: string) => ['invitations', 'own', userId] as const,
  assigned: (agentId: string) => ['invitations', 'assigned', agentId] as const,
  acceptedCount: (userId: string) => ['invitations', 'accepted-count', userId] as const,
};

/** Sent or received, newest first, with both sides and the request they are about. */
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

/** Open invitations that the team made in favour of an agent. */
const ASSIGNED = `id,
  importer:profiles!invitations_importer_id_fkey(full_name),
  request:car_requests(car_make,car_model)` as const;
const MOST = 20;

function selectAssigned(agentId: string, signal: AbortSignal) {
  return supabase
    .from('invitations')
    .select(ASSIGNED)
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

/** The request an invitation is about, as the invited agent may read it; null once the importer removed it. */
async function fetchRequest(id: string, signal: AbortSignal): Promise<Row<'car_requests'> | null> {
  const { data, error, status } = await supabase
    .from('car_requests')
    .select('*')
    .eq('id', id)
    .abortSignal(signal)
    .maybeSingle();
  if (error) throw toAppError(error, requests.failed, status);
  return data;
}

export function invitedRequestQueryOptions(id: string) {
  return queryOptions({
    queryKey: ['requests', 'invited', id] as const,
    queryFn: ({ signal }) => fetchRequest(id, signal),
  });
}

async function countAccepted(importerId: string): Promise<number> {
  const answer = await supabase
    .from('invitations')
    .select('*', { count: 'exact', head: true })
    .eq('importer_id', importerId)
    .eq('status', 'accepted');
  return unwrapCount(answer, errors.fetch.counts);
}

// IMD-006
export function acceptedCountQueryOptions(importerId: string) {
  return queryOptions({
    queryKey: invitationKeys.acceptedCount(importerId),
    queryFn: () => countAccepted(importerId),
  });
}

/** Accepted invitations that went with the importer's account: the deal behind each still counts. */
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
