import { RequestList } from '@/widgets/requests/request-list';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { requests as copy } from '@/copy/requests';
import { RequestFilters } from '@/features/requests/components/request-filters';
import { countryChoices, urgencyLevels } from '@/features/requests/request-filter';
import { searchOfRequests } from '@/features/requests/request-search';
import { useRequests, type Requests } from '@/features/requests/use-requests';
import { useDebounced } from '@/hooks/use-debounced';
import { useErrorToast } from '@/hooks/use-error-toast';
import { oneOf, typed, useSearchState } from '@/lib/search-params';

const SEARCH = { search: typed(), country: typed(), urgency: oneOf(urgencyLevels, 'all') };

// AGR-001, AGR-005..AGR-007, AGR-009
export default function AgentRequestsScreen() {
  const [filter] = useSearchState(SEARCH);
  const search = useDebounced(filter.search);
  const requests = useRequests(searchOfRequests({ ...filter, search }));
  useErrorToast(requests.list.error, errors.title, copy.failed);
  return (
    <div>
      <PageHeading>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.subtitle}</p>
      <QueryView query={requests.list} error={copy.failed} pending={<RequestsSkeleton />}>
        {() => <FilteredRequests requests={requests} />}
      </QueryView>
    </div>
  );
}

function RequestsSkeleton() {
  return (
    <div aria-busy className="space-y-4">
      <Skeleton className="h-48 w-full rounded-card" />
      <Skeleton className="h-48 w-full rounded-card" />
    </div>
  );
}

function FilteredRequests({ requests }: { requests: Requests }) {
  const [filter, setFilter] = useSearchState(SEARCH);
  const { list, counts } = requests;
  const found = counts?.total ?? list.data?.length ?? 0;
  return (
    <>
      <RequestFilters
        value={filter}
        onChange={setFilter}
        countries={countryChoices([...(counts?.countries ?? []), filter.country])}
        found={found}
      />
      <p role="status" className="mt-4 text-small text-muted-foreground figures">
        {copy.count(found, counts?.all ?? found)}
      </p>
      <RequestList requests={requests} send={copy.send} />
    </>
  );
}
