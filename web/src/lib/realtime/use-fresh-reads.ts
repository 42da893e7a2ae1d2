/** Reads so small that a change has them made again: once for all that comes together, and once after a gap. */
import { useQueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import type { RowChange } from './channel-registry';
import { useRowChanges, type Followed } from './use-row-changes';

/** `concerns` says whether a change may be about them; else each may be. */
export function useFreshReads(
  changes: Followed,
  queryKeys: readonly QueryKey[],
  concerns: (change: RowChange) => boolean = () => true,
): void {
  const client = useQueryClient();
  useRowChanges(changes, JSON.stringify(queryKeys), async ({ changed, heardSince }) => {
    const isTouched = changed.some(concerns);
    const isOld = ({ state }: Query) => isTouched || state.dataUpdatedAt < heardSince;
    const again = (queryKey: QueryKey) =>
      client.invalidateQueries(
        { queryKey, exact: true, predicate: isOld },
        // What has just been begun knows of what came before it.
        { cancelRefetch: isTouched },
      );
    await Promise.all(queryKeys.map(again));
  });
}
