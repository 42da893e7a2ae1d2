/** The deals with one other member that can be disputed, or were. They are followed live. */
import { useQuery } from '@tanstack/react-query';
import {
  canDispute,
  dealsQueryOptions,
  disputeKeys,
  disputeOf,
  type Deal,
} from '@/features/disputes/data/disputes-query';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

export function useDealsWith(userId: string, counterpartId: string): Deal[] {
  useTableChanges(tableChanges.disputes, disputeKeys.all);
  useTableChanges(tableChanges.disputeStatements, disputeKeys.all);
  useTableChanges(tableChanges.invitations, disputeKeys.all);
  const { data = [] } = useQuery(dealsQueryOptions(userId));
  return data.filter(
    (deal) =>
      (deal.agent_id === counterpartId || deal.importer_id === counterpartId) &&
      (disputeOf(deal) !== undefined || canDispute(deal)),
  );
}
