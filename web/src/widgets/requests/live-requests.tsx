/** Requests as they arrive, narrowed by a search and filters. */
import { QueryView } from '@/components/query-view';
import { errors } from '@/copy/errors';
import { invite, liveRequests, requests as copy } from '@/copy/requests';
import { LiveRequestFilters } from '@/features/requests/components/live-request-filters';
import { budgetRanges } from '@/features/requests/live-request-filter';
import { urgencyLevels } from '@/features/requests/request-filter';
import { searchOfLiveRequests } from '@/features/requests/request-search';
import { useRequests } from '@/features/requests/use-requests';
import { useDebounced } from '@/hooks/use-debounced';
import { useErrorToast } from '@/hooks/use-error-toast';
import { oneOf, typed, useSearchState } from '@/lib/search-params';
import { RequestList } from './request-list';
import { RequestsSkeleton } from './requests-skeleton';

const SEARCH = {
  search: typed(),
  urgency: oneOf(urgencyLevels, 'all'),
  make: typed(),
  condition: typed(),
  budget: oneOf(budgetRanges, 'any'),
};

// ARF-008, ARF-012
export default function LiveRequests() {
  const [{ search, ...filter }, setSearch] = useSearchState(SEARCH);
  const requests = useRequests(searchOfLiveRequests(useDebounced(search), filter));
  const { list, counts } = requests;
  useErrorToast(list.error, errors.title, copy.failed);
  return (
    <QueryView query={list} error={copy.failed} pending={<RequestsSkeleton />}>
      {(rows) => (
        <>
          <LiveRequestFilters
            search={search}
            onSearch={(text) => setSearch({ search: text })}
            filter={filter}
            onFilter={setSearch}
            found={counts?.total ?? rows.length}
          />
          <RequestList requests={requests} send={liveRequests.send} failedTitle={invite.failedTitle} />
        </>
      )}
    </QueryView>
  );
}
