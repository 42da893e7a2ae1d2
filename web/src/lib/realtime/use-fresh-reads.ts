/** Reads so small that a change has them made again: once for all that comes together, and once after a gap. */
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { RowChange } from './channel-registry';
import { readBehind } from './readings';
import { useRowChanges, type Followed } from './use-row-changes';

/** `concerns` says whether a change may be about them; else each may be. */
export function useFreshReads(
  changes: Followed,
  queryKeys: readonly QueryKey[],
  concerns: (change: RowChange) => boolean = () => true,
): void {
  const client = useQueryClient();
  useRowChanges(changes, JSON.stringify(queryKeys), async ({ changed, heardSince }) => {
    const since = changed.some(concerns) ? Infinity : heardSince;
    await Promise.all(queryKeys.map((queryKey) => readBehind(client, { queryKey, exact: true }, since)));
  });
}
