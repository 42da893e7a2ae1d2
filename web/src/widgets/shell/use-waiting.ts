/** What waits for a member, as it comes; none for nobody. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readCountsAgain, unreadCountQueryOptions } from '@/features/messages/data/message-counts-query';
import { openTicketsOptions, waitingIn } from '@/features/support/data/tickets-query';
import { useLiveTickets } from '@/features/support/use-live-tickets';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';

/** How many messages are to be read. */
export function useUnreadCount(userId: string | undefined): number {
  const client = useQueryClient();
  const id = userId ?? '';
  useRowChanges(tableChanges.messages, `counts of ${id}`, (changes) => readCountsAgain(client, id, changes));
  // Read in another tab or on another device. What a gap may have hidden is read for the channel above.
  useRowChanges(tableChanges.messageReads, `counts of ${id}`, async (changes) => {
    if (changes.changed.length > 0) await readCountsAgain(client, id, changes);
  });
  const options = unreadCountQueryOptions(id);
  const { data = 0 } = useQuery({ ...options, enabled: userId !== undefined });
  return data;
}

/** How many questions to the team wait for the person's answer. */
export function useWaitingTickets(userId: string | undefined): number {
  useLiveTickets(userId ?? '');
  const { data } = useQuery({ ...openTicketsOptions(userId ?? ''), enabled: userId !== undefined });
  return waitingIn(data);
}
