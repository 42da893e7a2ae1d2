/** The agent's own invitations, by the request each is about: an accepted one counts before any other, then the newest. */
import { useQuery } from '@tanstack/react-query';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';
import { invitationKeys, invitationsQueryOptions, type Invitation } from './data/invitations-query';

type InvitationByRequest = ReadonlyMap<string, Invitation>;

const NONE: InvitationByRequest = new Map();

export function useInvitationsByRequest(agentId: string): InvitationByRequest {
  useTableChanges(tableChanges.invitations, invitationKeys.all);
  const { data } = useQuery({ ...invitationsQueryOptions(agentId), select: byRequest });
  return data ?? NONE;
}

/** Takes invitations newest first. */
export function byRequest(invitations: readonly Invitation[]): InvitationByRequest {
  const found = new Map<string, Invitation>();
  for (const invitation of invitations) {
    const { request_id: requestId } = invitation;
    if (requestId === null) continue;
    if (!found.has(requestId) || invitation.status === 'accepted') found.set(requestId, invitation);
  }
  return found;
}
