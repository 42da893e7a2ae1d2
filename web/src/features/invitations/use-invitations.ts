/** A list of the own invitations that is told what changes. */
import { useQueryClient } from '@tanstack/react-query';
import { usePagedList, type PagedList } from '@/lib/lists/use-paged-list';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { followInvitations, type InvitationList } from './data/follow-invitations';
import type { Invitation } from './data/invitation-answers';
import { invitationListOptions } from './data/invitations-query';

/** What tells a list of invitations of changes. */
export const invitationTables = [tableChanges.invitations, tableChanges.disputes] as const;

export function useInvitations(list: InvitationList): PagedList<Invitation> {
  const client = useQueryClient();
  const { userId, search, size } = list;
  // Before the list is asked for: what changes from then on is heard.
  useRowChanges(invitationTables, JSON.stringify([userId, search, size]), (changes) =>
    followInvitations(client, list, changes),
  );
  return usePagedList(invitationListOptions(userId, { search, size }));
}
