/** What waits for an agent: the service says it, so that neither invitations nor offers are read to count them. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { countOf, listOf, objectOf, textOf } from '@/lib/json-fields';
import { onceJoined } from '@/lib/realtime/read-once-joined';
import { tableChanges } from '@/lib/realtime/table-changes';
import { supabase } from '@/lib/supabase';
import { invitationKeys } from './keys';

export interface AgentWaiting {
  /** Accepted, and nobody has written since; `first` is the newest. */
  accepted: { count: number; first: { importerId: string; requestId: string | null; name: string | null } };
  /** Open requests for the makes that the agent offers, by make. */
  requests: { make: string; count: number }[];
  /** Offers without one; `first` is the newest. */
  photos: { count: number; first: { id: string; car: string } };
}

async function readWaiting(signal: AbortSignal): Promise<AgentWaiting> {
  const answer = await supabase.rpc('agent_waiting').abortSignal(signal);
  const { accepted, requests, photos } = objectOf(unwrap(answer, errors.generic));
  const first = objectOf(objectOf(accepted).first);
  const bare = objectOf(objectOf(photos).first);
  return {
    accepted: {
      count: countOf(objectOf(accepted).count),
      first: {
        importerId: textOf(first.importer_id) ?? '',
        requestId: textOf(first.request_id),
        name: textOf(first.name),
      },
    },
    requests: listOf(requests)
      .map(objectOf)
      .map(({ make, count }) => ({ make: textOf(make) ?? '', count: countOf(count) })),
    photos: {
      count: countOf(objectOf(photos).count),
      first: { id: textOf(bare.id) ?? '', car: textOf(bare.car) ?? '' },
    },
  };
}

export function agentWaitingOptions(agentId: string) {
  return queryOptions({
    queryKey: invitationKeys.waiting(agentId),
    ...onceJoined(tableChanges.invitations, readWaiting),
  });
}
