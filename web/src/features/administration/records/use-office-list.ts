/** A list of the back office as a screen shows it: its rows, what stands beside them, and what it is told of changes. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { usePagedList, type PagedList } from '@/lib/lists/use-paged-list';
import type { Told } from './data/answers';
import { followList, readAnew } from './data/follow-list';
import { listOptions, toldOptions, type Entry, type ListAsk, type ListSource } from './data/record-list';
import { followWhileShown } from './data/shown-lists';
import { useOfficeChanges, type Follows } from './use-office-changes';

export interface OfficeList<Listed> {
  list: PagedList<Entry<Listed>>;
  told: Told | undefined;
}

export function useOfficeList<Row extends Listed, Listed>(
  source: ListSource<Row, Listed> & { follows: Follows },
  ask: ListAsk,
): OfficeList<Listed> {
  const client = useQueryClient();
  // Before the list is asked for: what changes from then on is heard.
  useOfficeChanges(source.follows, (changes) => followList(client, source, ask, changes));
  const list = usePagedList(listOptions(client, source, ask));
  useFollowedDecisions(async () => {
    // All of it may be another: what is not told is read.
    if (!(await followList(client, source, ask, { ids: null, heardSince: Date.now() }))) await list.refetch();
  });
  const { data: told } = useQuery({
    ...toldOptions(source.name, ask),
    placeholderData: keepPreviousData,
  });
  return { list: { ...list, showArrivals: () => void readAnew(client, source, ask) }, told };
}

function useFollowedDecisions(follow: () => Promise<unknown>): void {
  const latest = useEffectEvent(follow);
  useEffect(() => followWhileShown(() => latest()), []);
}
