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

export interface OfficeChanges {
  /** The entries that changed; null where it is not known which. */
  ids: ReadonlySet<unknown> | null;
  /** Since when no change was missed, by this machine's clock: what was read before may have missed some. */
  heardSince: number;
}

/** No entry: from now on changes are heard, of all tables. */
const HEARD = Symbol('heard');

export function useOfficeChanges(
  follows: Follows,
  handle: (changes: OfficeChanges) => Promise<unknown>,
): void {
  const latest = useEffectEvent(handle);
  useEffect(() => {
    let heardSince = Infinity;
    const batches = inBatches<unknown>(async (items) => {
      const ids = items.filter((id) => id !== HEARD);
      await latest({ ids: ids.includes(undefined) ? null : new Set(ids), heardSince });
    });
    const tables = Object.entries(follows);
    const joined = new Set<string>();
    const stops = tables.map(([table, idOf]) =>
      listenToTable(
        { name: `office_${table}`, event: '*', table },
        {
          onChange: (_kind, change) => change && batches.add(idOf(change.row)),
          onJoin: () => {
            if (joined.add(table).size < tables.length) return;
            heardSince = Date.now();
            batches.add(HEARD);
          },
        },
      ),
    );
    return () => {
      batches.stop();
      stops.forEach((stop) => stop());
    };
  }, [follows]);
}
