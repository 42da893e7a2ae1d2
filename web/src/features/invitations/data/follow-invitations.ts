/** A list of invitations that is told what changes, of them and of the disputes about their deals. */
import type { QueryClient } from '@tanstack/react-query';
import { objectOf } from '@/lib/json-fields';
import { anyChange, followList, knownOf, type FollowedList } from '@/lib/lists/follow-list';
import type { Pages } from '@/lib/lists/pages';
import type { RowChange } from '@/lib/realtime/channel-registry';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import type { OwnList } from '../own-lists';
import type { Invitation, InvitationChanges } from './invitation-answers';
import { invitationListOptions, readInvitationChanges } from './invitations-query';
import { invitationKeys, type InvitationSearch } from './keys';

export interface InvitationList extends OwnList {
  userId: string;
  isAtTop?: FollowedList<Invitation, InvitationChanges>['isAtTop'];
}

export function followInvitations(
  client: QueryClient,
  { userId, search, size, isAtTop }: InvitationList,
  changes: RowChanges,
): Promise<void> {
  return followList<Invitation, InvitationChanges>(
    client,
    {
      options: invitationListOptions(userId, { search, size }),
      ask: (seconds, shown) => readInvitationChanges(search, seconds, shown),
      onTold: ({ counts }) => client.setQueryData(invitationKeys.counts(userId), counts),
      mayConcern: (change, list) => mayConcern(change, search, list),
      idsOf: (change, list) => toldAbout(change, list).map(({ id }) => id),
      ...(isAtTop && { isAtTop }),
    },
    changes,
  );
}

/** What the reader did shows without waiting to be told: the lists that are shown ask, the others when they are. */
export async function followOwnInvitations(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: invitationKeys.all, refetchType: 'none', type: 'inactive' });
  const shown = client.getQueryCache().findAll({ queryKey: invitationKeys.lists, type: 'active' });
  const lists = shown.map((query) => query.queryKey.slice(-3) as [string, InvitationSearch, number]);
  await Promise.all(
    lists.map(([userId, search, size]) => followInvitations(client, { userId, search, size }, anyChange)),
  );
}

/** What the list shows already was told before. */
function mayConcern(change: RowChange, { request }: InvitationSearch, list: Pages<Invitation>): boolean {
  const { kind, table, row } = change;
  const known = toldAbout(change, list);
  if (table === 'disputes' || (kind === 'DELETE' && request !== undefined)) return known.length > 0;
  const [shown] = known;
  if (shown && Date.parse(shown.updated_at) === Date.parse(String(row.updated_at))) return false;
  return request === undefined || row.request_id === request || shown !== undefined;
}

/** The invitations of the list that a change is about. */
function toldAbout({ table, row }: RowChange, list: Pages<Invitation>): Invitation[] {
  return knownOf(list).filter(({ id, deal_state: deal }) =>
    table === 'disputes' ? objectOf(deal).id === row.deal_id : id === row.id,
  );
}
