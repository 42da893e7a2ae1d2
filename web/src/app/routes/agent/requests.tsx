import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { GrowingList } from '@/components/growing-list';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { requests as copy } from '@/copy/requests';
import { RequestInvite } from '@/features/invitations/components/request-invite';
import { useInvitationsByRequest } from '@/features/invitations/use-invitations-by-request';
import { RequestFilters } from '@/features/requests/components/request-filters';
import { RequestRow } from '@/features/requests/components/request-row';
import {
  activeRequestsQueryOptions,
  type ActiveRequest,
} from '@/features/requests/data/active-requests-query';
import { requestKeys } from '@/features/requests/data/keys';
import { countryChoices, filterRequests, urgencyLevels } from '@/features/requests/request-filter';
import { useErrorToast } from '@/hooks/use-error-toast';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';
import { oneOf, typed, useSearchState } from '@/lib/search-params';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

const SEARCH = { search: typed(), country: typed(), urgency: oneOf(urgencyLevels, 'all') };
const PAGE = 50;

// AGR-001, AGR-005..AGR-007, AGR-009
export default function AgentRequestsScreen() {
  useTableChanges(tableChanges.carRequests, requestKeys.all);
  const query = useQuery(activeRequestsQueryOptions());
  useErrorToast(query.error, errors.title, copy.failed);
  return (
    <div>
      <PageHeading>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.subtitle}</p>
      <QueryView query={query} error={copy.failed} pending={<RequestsSkeleton />}>
        {(requests) => <Requests requests={requests} />}
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

function Requests({ requests }: { requests: ActiveRequest[] }) {
  const { user, profile } = useSignedIn();
  const now = useNow();
  const invitations = useInvitationsByRequest(user.id);
  const [filter, setFilter] = useSearchState(SEARCH);
  const found = filterRequests(requests, filter);
  return (
    <div className="space-y-4">
      <RequestFilters
        value={filter}
        onChange={setFilter}
        countries={countryChoices(requests)}
        found={found.length}
      />
      <p role="status" className="text-small text-muted-foreground figures">
        {copy.count(found.length, requests.length)}
      </p>
      {found.length === 0 && (
        <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
      )}
      <GrowingList items={found} page={PAGE} className="space-y-4">
        {(request) => (
          <li key={request.id}>
            <RequestRow
              request={request}
              now={now}
              action={
                <RequestInvite
                  sender={{ id: user.id, type: profile.user_type }}
                  importer={{
                    id: request.importer_id,
                    name: request.importer.full_name ?? copy.unknownUser,
                  }}
                  requestId={request.id}
                  invitation={invitations.get(request.id)}
                  label={copy.send}
                  now={now}
                />
              }
            />
          </li>
        )}
      </GrowingList>
    </div>
  );
}
