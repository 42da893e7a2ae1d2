/** What changes in the tables behind a screen of the back office, a burst at a time. */
import { useEffect, useEffectEvent } from 'react';
import { inBatches } from '@/lib/realtime/bursts';
import { listenToTable, type RowChange } from '@/lib/realtime/channel-registry';

export type OfficeTable =
  | 'car_requests'
  | 'request_cases'
  | 'agent_posts'
  | 'agent_verifications'
  | 'support_tickets'
  | 'conversation_reports'
  | 'admin_audit_log';

/** Of each table a list follows: which entry of the list a row of it belongs to, as far as the row says so. */
export type Follows = Partial<Record<OfficeTable, (row: RowChange['row']) => unknown>>;

/** `ids` are the entries that changed; null where it is not known which. */
export function useOfficeChanges(
  follows: Follows,
  handle: (ids: ReadonlySet<unknown> | null) => Promise<void>,
): void {
  const latest = useEffectEvent(handle);
  useEffect(() => {
    const batches = inBatches<unknown>((ids) => latest(ids.includes(undefined) ? null : new Set(ids)));
    const stops = Object.entries(follows).map(([table, idOf]) =>
      listenToTable({ name: `office_${table}`, event: '*', table }, (_kind, change) =>
        batches.add(change && idOf(change.row)),
      ),
    );
    return () => {
      batches.stop();
      stops.forEach((stop) => stop());
    };
  }, [follows]);
}
