/** Requests as they arrive, each with an invitation at hand. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { ErrorPanel } from '@/components/error-panel';
import { GrowingList } from '@/components/growing-list';
import { Skeleton } from '@/components/ui/skeleton';
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
import { everyRequest, filterLiveRequests } from '@/features/requests/live-request-filter';
import { useErrorToast } from '@/hooks/use-error-toast';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

const PAGE = 50;

// ARF-008, ARF-012
export function LiveRequests() {
  useTableChanges(tableChanges.carRequests, requestKeys.all);
  const { data, error, refetch } = useQuery(activeRequestsQueryOptions());
  useErrorToast(error, errors.title, copy.failed);
  if (error) return <ErrorPanel error={error} fallback={copy.failed} onRetry={() => void refetch()} />;
  if (data) return <RequestList requests={data} />;
  return (
    <div aria-busy className="space-y-4">
      <Skeleton className="h-11" />
      <Skeleton className="h-48 rounded-card" />
      <Skeleton className="h-48 rounded-card" />
    </div>
  );
}

function RequestList({ requests }: { requests: ActiveRequest[] }) {
  const { user, profile } = useSignedIn();
  const now = useNow();
  const invitations = useInvitationsByRequest(user.id);
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState(everyRequest);
  const found = filterLiveRequests(requests, search, filter);
  return (
    <>
      <LiveRequestFilters
        search={search}
        onSearch={setSearch}
        filter={filter}
        onFilter={setFilter}
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
