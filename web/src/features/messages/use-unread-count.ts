/** How many messages wait to be read, as they come; none for nobody. */
import { useQuery } from '@tanstack/react-query';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';
import { messageKeys } from './data/keys';
import { unreadCountQueryOptions } from './data/message-counts-query';

export function useUnreadCount(userId: string | undefined): number {
  useTableChanges(tableChanges.messages, messageKeys.all);
  // Read in another tab or on another device.
  useTableChanges(tableChanges.messageReads, messageKeys.unread(userId ?? ''));
  const options = unreadCountQueryOptions(userId ?? '');
  const { data = 0 } = useQuery({ ...options, enabled: userId !== undefined });
  return data;
}
