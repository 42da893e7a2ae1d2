/** Marks cached reads stale when their table changes; a burst of changes costs one refetch. */
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenToTable, type TableChanges } from './channel-registry';

const DEBOUNCE_MS = 150;

/** The documented channel names; `invalidates` is the stem of the keys that become stale. */
export const tableChanges = {
  carRequests: { name: 'car_requests_changes', event: '*', table: 'car_requests' },
  agentPosts: { name: 'agent_posts_changes', event: '*', table: 'agent_posts' },
  invitations: { name: 'invitations_changes', event: '*', table: 'invitations' },
  messages: { name: 'messages_changes', event: 'INSERT', table: 'messages' },
} as const satisfies Record<string, TableChanges>;

export function useTableChanges(changes: TableChanges, invalidates: QueryKey): void {
  const queryClient = useQueryClient();
  const stem = JSON.stringify(invalidates);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refetch = () => void queryClient.invalidateQueries({ queryKey: JSON.parse(stem) as QueryKey });
    const stop = listenToTable(changes, () => {
      clearTimeout(timer);
      timer = setTimeout(refetch, DEBOUNCE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [changes, stem, queryClient]);
}
