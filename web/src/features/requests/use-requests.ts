/** A list of requests that is searched by the service and told what changes. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePagedList, type PagedList } from '@/lib/lists/use-paged-list';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';
import { followRequests } from './data/follow-requests';
import type { FoundRequest, RequestCounts } from './data/request-answers';
import { requestCountsOptions, requestListOptions } from './data/requests-query';
import type { RequestSearch } from './request-search';

export interface Requests {
  list: PagedList<FoundRequest>;
  counts: RequestCounts | undefined;
}

const TABLES = [tableChanges.carRequests, tableChanges.invitations] as const;

// ARF-009, ARF-010
export function useRequests(search: RequestSearch): Requests {
  const client = useQueryClient();
  // Before the list is asked for: what changes from then on is heard.
  useRowChanges(TABLES, JSON.stringify(search), (changes) => followRequests(client, search, changes));
  const list = usePagedList(requestListOptions(client, search));
  const { data: counts } = useQuery({ ...requestCountsOptions(search), placeholderData: keepPreviousData });
  return { list, counts };
}
