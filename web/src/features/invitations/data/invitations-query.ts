/** The person's own invitations, newest first, a page at a time; how many there are, and those that are under way. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { tablePages } from '@/lib/lists/pages';
import { onceJoined } from '@/lib/realtime/read-once-joined';
import { tableChanges } from '@/lib/realtime/table-changes';
import { supabase } from '@/lib/supabase';
import type { OwnList } from '../own-lists';
import {
  changesOf,
  countsOf,
  type Invitation,
  type InvitationChanges,
  type InvitationCounts,
} from './invitation-answers';
import { invitationKeys, type InvitationSearch } from './keys';

/** Sent or received, with both sides and the request they are about. */
const SELECT = `*, deal_state,
  agent:profiles!invitations_agent_id_fkey(full_name,country,company_name,avatar_url),
  importer:profiles!invitations_importer_id_fkey(full_name,country,city,company_name,avatar_url,budget_range,interested_car_brands),
  request:car_requests(id,car_make,car_model,year_range,budget_min,budget_max,status)` as const;

function selectInvitations(userId: string, signal: AbortSignal) {
  return supabase
    .from('invitations')
    .select(SELECT)
    .or(`agent_id.eq.${userId},importer_id.eq.${userId}`)
    .abortSignal(signal);
}

// DA2-011, DA2-012, DA2-022, ER2-002, CA2-001
export function invitationListOptions(userId: string, { search, size }: OwnList) {
  const { status, request } = search;
  return {
    ...tablePages<Invitation>({
      queryKey: invitationKeys.list(userId, search, size),
      size,
      fallback: errors.fetch.invitations,
      by: 'created_at',
      ask: (signal) => {
        let own = selectInvitations(userId, signal);
        if (status !== undefined) own = own.eq('status', status);
        return request === undefined ? own : own.eq('request_id', request);
      },
    }),
    // It is told what changes (`follow-invitations.ts`).
    staleTime: Infinity,
  };
}

/** What changed of a list in the last seconds, and which of the invitations that are shown no longer fit. */
export async function readInvitationChanges(
  { status, request }: InvitationSearch,
  seconds: number,
  shown: readonly string[],
): Promise<InvitationChanges> {
  const answer = await supabase.rpc('invitation_changes', {
    p_seconds: seconds,
    p_shown: [...shown],
    ...(status !== undefined && { p_status: status }),
    ...(request !== undefined && { p_request: request }),
  });
  return changesOf(unwrap(answer, errors.fetch.invitations));
}

async function readCounts(signal: AbortSignal): Promise<InvitationCounts> {
  return countsOf(unwrap(await supabase.rpc('invitation_counts').abortSignal(signal), errors.fetch.counts));
}

// AGD-005..AGD-007, IMD-006
export function invitationCountsOptions(userId: string) {
  return queryOptions({
    queryKey: invitationKeys.counts(userId),
    queryFn: ({ signal }) => readCounts(signal),
    // A list beside it is told how many there are.
    staleTime: Infinity,
  });
}

/** Accepted by both, and the request, where there is one, not closed yet. */
export function runningInvitationsOptions(importerId: string, limit: number) {
  return queryOptions({
    queryKey: invitationKeys.running(importerId, limit),
    ...onceJoined(tableChanges.invitations, async (signal): Promise<Invitation[]> => {
      const running = selectInvitations(importerId, signal).eq('is_running', true);
      const newest = running.order('created_at', { ascending: false }).limit(limit);
      return unwrap(await newest, errors.fetch.invitations);
    }),
  });
}
