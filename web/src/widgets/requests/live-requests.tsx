/** Requests as they arrive, each with an invitation at hand. */
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { GrowingList } from '@/components/growing-list';
import { QueryView } from '@/components/query-view';
import { errors } from '@/copy/errors';
import { invite, liveRequests, requests as copy } from '@/copy/requests';
import { RequestInvite } from '@/features/invitations/components/request-invite';
import { useInvitationsByRequest } from '@/features/invitations/use-invitations-by-request';
import { LiveRequestFilters } from '@/features/requests/components/live-request-filters';
import { RequestRow } from '@/features/requests/components/request-row';
import {
  activeRequestsQueryOptions,
  type ActiveRequest,
} from '@/features/requests/data/active-requests-query';
import { requestKeys } from '@/features/requests/data/keys';
import { budgetRanges, filterLiveRequests } from '@/features/requests/live-request-filter';
import { urgencyLevels } from '@/features/requests/request-filter';
import { useErrorToast } from '@/hooks/use-error-toast';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';
import { oneOf, typed, useSearchState } from '@/lib/search-params';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';
import { RequestsSkeleton } from './requests-skeleton';

const PAGE = 50;
const SEARCH = {
  search: typed(),
  urgency: oneOf(urgencyLevels, 'all'),
  make: typed(),
  condition: typed(),
  budget: oneOf(budgetRanges, 'any'),
};

// ARF-008, ARF-012
export default function LiveRequests() {
  useTableChanges(tableChanges.carRequests, requestKeys.all);
  const query = useQuery(activeRequestsQueryOptions());
  useErrorToast(query.error, errors.title, copy.failed);
  return (
    <QueryView query={query} error={copy.failed} pending={<RequestsSkeleton />}>
      {(requests) => <RequestList requests={requests} />}
    </QueryView>
  );
}

function RequestList({ requests }: { requests: ActiveRequest[] }) {
  const { user, profile } = useSignedIn();
  const now = useNow();
  const invitations = useInvitationsByRequest(user.id);
  const [{ search, ...filter }, setSearch] = useSearchState(SEARCH);
  const found = filterLiveRequests(requests, search, filter);
  return (
    <>
      <LiveRequestFilters
        search={search}
        onSearch={(text) => setSearch({ search: text })}
        filter={filter}
        onFilter={setSearch}
        found={found.length}
      />
      {found.length === 0 && (
        <EmptyState
          title={copy.empty.title}
          text={copy.empty.text}
          className="mt-4 rounded-card border bg-card"
        />
      )}
      <GrowingList items={found} page={PAGE} className="mt-4 space-y-4">
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
                  label={liveRequests.send}
                  failedTitle={invite.failedTitle}
                  now={now}
                />
              }
            />
          </li>
        )}
      </GrowingList>
    </>
  );
}
