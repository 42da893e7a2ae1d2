import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { ErrorPanel } from '@/components/error-panel';
import { GrowingList } from '@/components/growing-list';
import { PageHeading } from '@/components/page-heading';
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
import { countryChoices, filterRequests, type RequestFilter } from '@/features/requests/request-filter';
import { useErrorToast } from '@/hooks/use-error-toast';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

const EVERYTHING: RequestFilter = { search: '', country: '', urgency: 'all' };
const PAGE = 50;

// AGR-001, AGR-005..AGR-007, AGR-009
export default function AgentRequestsScreen() {
  useTableChanges(tableChanges.carRequests, requestKeys.all);
  const { data, isPending, error, refetch } = useQuery(activeRequestsQueryOptions());
  useErrorToast(error, errors.title, copy.failed);
  return (
    <div>
      <PageHeading>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.subtitle}</p>
      <div aria-busy={isPending} className="space-y-4">
        {isPending ? (
          <>
            <Skeleton className="h-48 w-full rounded-card" />
            <Skeleton className="h-48 w-full rounded-card" />
          </>
        ) : error ? (
          <ErrorPanel error={error} fallback={copy.failed} onRetry={() => void refetch()} />
        ) : (
          <Requests requests={data} />
        )}
      </div>
    </div>
  );
}

function Requests({ requests }: { requests: ActiveRequest[] }) {
  const { user, profile } = useSignedIn();
  const now = useNow();
  const invitations = useInvitationsByRequest(user.id);
  const [filter, setFilter] = useState(EVERYTHING);
  const found = filterRequests(requests, filter);
  return (
    <>
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
    </>
  );
}
