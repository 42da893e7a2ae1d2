/** Reads again what a change of a table made stale: a burst of changes costs one read, and reads do not overlap. */
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { lookForNewRows, readRowsAgain } from '@/lib/live-rows';
import { inBursts } from './bursts';
import { listenToTable, type Change, type TableChanges } from './channel-registry';

/** The documented channel names; `invalidates` is the stem of the keys that become stale. */
export const tableChanges = {
  carRequests: { name: 'car_requests_changes', event: '*', table: 'car_requests' },
  agentPosts: { name: 'agent_posts_changes', event: '*', table: 'agent_posts' },
  invitations: { name: 'invitations_changes', event: '*', table: 'invitations' },
  messages: { name: 'messages_changes', event: 'INSERT', table: 'messages' },
  agentVerifications: { name: 'agent_verifications_changes', event: '*', table: 'agent_verifications' },
} as const satisfies Record<string, TableChanges>;

export function useTableChanges(changes: TableChanges, invalidates: QueryKey): void {
  const queryClient = useQueryClient();
  const stem = JSON.stringify(invalidates);
  useEffect(() => {
    const since = Date.now();
    const queryKey = JSON.parse(stem) as QueryKey;
    const refresh = (burst: ReadonlySet<Change>) =>
      burst.size === 1 && burst.has('INSERT')
        ? lookForNewRows(queryClient, queryKey, since)
        : readRowsAgain(queryClient, queryKey);
    const bursts = inBursts(refresh);
    const stop = listenToTable(changes, bursts.add);
    return () => {
      bursts.stop();
      stop();
    };
  }, [changes, stem, queryClient]);
}
