/** Deals that are looked at are read again when something is said or decided about them. */
import { useQuery } from '@tanstack/react-query';
import type { RowChange } from '@/lib/realtime/channel-registry';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useFreshReads } from '@/lib/realtime/use-fresh-reads';
import {
  canDispute,
  dealQueryOptions,
  dealsBetweenOptions,
  disputeOf,
  type Deal,
} from './data/disputes-query';

const OF_ONE = [tableChanges.disputes, tableChanges.disputeStatements] as const;
const OF_TWO = [...OF_ONE, tableChanges.invitations] as const;

export function useLiveDeal(dealId: string) {
  const options = dealQueryOptions(dealId);
  const query = useQuery(options);
  useFreshReads(OF_ONE, [options.queryKey], (change) => isAbout(change, query.data ? [query.data] : []));
  return query;
}

/** The deals with one other member that can be disputed, or were. */
export function useLiveDealsWith(userId: string, otherId: string): Deal[] {
  const options = dealsBetweenOptions(userId, otherId);
  const { data = [] } = useQuery(options);
  useFreshReads(OF_TWO, [options.queryKey], (change) => isAbout(change, data, otherId));
  return data.filter((deal) => disputeOf(deal) !== undefined || canDispute(deal));
}

function isAbout({ table, row }: RowChange, deals: readonly Deal[], otherId?: string): boolean {
  if (table === 'invitations') return row.agent_id === otherId || row.importer_id === otherId;
  const disputeId = table === 'disputes' ? row.id : row.dispute_id;
  return deals.some(
    (deal) => deal.id === row.deal_id || deal.disputes.some((dispute) => dispute.id === disputeId),
  );
}
