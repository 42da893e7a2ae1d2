/** What an importer still looks for, and how many agents have answered. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { openRequests as copy } from '@/copy/dashboards';
import { myRequests } from '@/copy/requests';
import { RequestStatusBadge } from '@/features/requests/components/request-status-badge';
import { openRequestsQueryOptions, type OpenRequest } from '@/features/requests/data/own-requests-query';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useFreshReads } from '@/lib/realtime/use-fresh-reads';

const TABLES = [tableChanges.carRequests, tableChanges.invitations] as const;

export function OpenRequests({ userId }: { userId: string }) {
  const options = openRequestsQueryOptions(userId);
  const query = useQuery(options);
  useFreshReads(
    TABLES,
    [options.queryKey],
    ({ kind, row }) => kind === 'DELETE' || row.importer_id === userId,
  );
  return (
    <Card aria-labelledby="open-requests-title" aria-busy={query.isPending} className="overflow-hidden">
      <CardHeader>
        <CardTitle id="open-requests-title">{copy.title}</CardTitle>
        <Button variant="link" size="inline" asChild>
          <Link to={paths.importer.requests}>{copy.all}</Link>
        </Button>
      </CardHeader>
      <QueryView
        query={query}
        error={myRequests.failed}
        pending={<Skeleton className="m-5 h-12" />}
        className="p-4"
      >
        {(requests) => <RequestList requests={requests} />}
      </QueryView>
    </Card>
  );
}

function RequestList({ requests }: { requests: OpenRequest[] }) {
  if (requests.length === 0) return <p className="p-4 text-muted-foreground sm:px-5">{copy.empty}</p>;
  return (
    <ul className="divide-y">
      {requests.map((request) => (
        <li key={request.id}>
          <Link
            to={paths.importer.requests}
            className="flex min-h-16 items-center gap-3 px-4 py-3 leading-snug transition-colors hover:bg-muted focus-visible:-outline-offset-2 sm:px-5"
          >
            <span className="min-w-0 flex-1">
              <span dir="auto" className="block truncate text-left font-semibold">
                {request.car_make} {request.car_model}
              </span>
              <span className="block text-small text-muted-foreground">{stateOf(request)}</span>
            </span>
            <RequestStatusBadge status={request.status} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function stateOf({ status, responses }: OpenRequest): string {
  const answers = responses ?? 0;
  return status === 'pending' && answers === 0 ? copy.reviewed : copy.answers(answers);
}
