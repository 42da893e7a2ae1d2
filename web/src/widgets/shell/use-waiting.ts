/** What waits for a member, as it comes; none for nobody. */
import { useQuery } from '@tanstack/react-query';
import { messageKeys } from '@/features/messages/data/keys';
import { unreadCountQueryOptions } from '@/features/messages/data/message-counts-query';
import { supportKeys, ticketsQueryOptions, waitingIn } from '@/features/support/data/tickets-query';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

/** How many messages are to be read. */
export function useUnreadCount(userId: string | undefined): number {
  useTableChanges(tableChanges.messages, messageKeys.all);
  // Read in another tab or on another device.
  useTableChanges(tableChanges.messageReads, messageKeys.unread(userId ?? ''));
  const options = unreadCountQueryOptions(userId ?? '');
  const { data = 0 } = useQuery({ ...options, enabled: userId !== undefined });
  return data;
}

/** How many questions to the team wait for the person's answer. */
export function useWaitingTickets(userId: string | undefined): number {
  useTableChanges(tableChanges.tickets, supportKeys.all);
  const { data } = useQuery({ ...ticketsQueryOptions(userId ?? ''), enabled: userId !== undefined });
  return waitingIn(data);
}
