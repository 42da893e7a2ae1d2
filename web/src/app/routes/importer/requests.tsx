import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { errors } from '@/copy/errors';
import { navigation } from '@/copy/navigation';
import { card } from '@/copy/posts';
import { myRequests as copy } from '@/copy/requests';
import { DealDispute } from '@/features/disputes/components/deal-dispute';
import { dealStateOf } from '@/features/disputes/data/disputes-query';
import { invitationTables } from '@/features/invitations/use-invitations';
import { ResponsesSheet } from '@/features/invitations/components/responses-sheet';
import { EditRequestSheet } from '@/features/requests/components/edit-request-sheet';
import { OwnRequestList } from '@/features/requests/components/own-request-list';
import { requestKeys } from '@/features/requests/data/keys';
import { ownRequestQueryOptions, type OwnRequest } from '@/features/requests/data/own-requests-query';
import type { RequestCounts } from '@/features/requests/data/request-answers';
import { ownCount, ownRequestFilter } from '@/features/requests/own-request-filter';
import { requestTabs } from '@/features/requests/request-filter';
import { searchOfOwn } from '@/features/requests/request-search';
import { useRequests } from '@/features/requests/use-requests';
import { useErrorToast } from '@/hooks/use-error-toast';
import { useSignedIn } from '@/lib/auth/auth-context';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useChannels } from '@/lib/realtime/use-channels';
import { useFreshReads } from '@/lib/realtime/use-fresh-reads';
import { opened, useSearchState } from '@/lib/search-params';

const SEARCH = { responses: opened(), edit: opened() };

// IMR-011
export default function ImporterRequestsScreen() {
  const { user } = useSignedIn();
  const [{ tab, only }] = useSearchState(ownRequestFilter);
  const requests = useRequests(searchOfOwn(user.id, tab, only));
  useChannels(invitationTables);
  const { data, error } = requests.list;
  const [{ responses, edit }, setSearch] = useSearchState(SEARCH);
  useErrorToast(error, errors.title, copy.failed);
  return (
    <div className="space-y-6">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <PageHeading title={navigation.importer.requests}>{copy.title}</PageHeading>
          <p className="mt-1 text-muted-foreground">{copy.subtitle}</p>
        </div>
        <Button writes asChild className="w-full sm:w-auto">
          <Link to={paths.importer.postRequest}>
            <Plus aria-hidden />
            {copy.newRequest}
          </Link>
        </Button>
      </header>
      <Tiles counts={requests.counts} failed={error !== null} />
      <QueryView query={requests.list} error={copy.failed} pending={<ListSkeleton />}>
        {() => (
          <OwnRequestList
            requests={requests}
            onOpen={({ kind, requestId }) => setSearch({ [kind]: requestId })}
          />
        )}
      </QueryView>
      <OpenedSheet
        responses={responses}
        edit={edit}
        requests={data ?? []}
        onClose={() => setSearch(responses ? { responses: null } : { edit: null })}
      />
    </div>
  );
}

function Tiles({ counts, failed }: { counts: RequestCounts | undefined; failed: boolean }) {
  return (
    <StatTiles>
      {requestTabs.map((tab) => {
        const name = tab === 'all' ? 'total' : tab;
        const value = ownCount(counts, tab) ?? (failed ? null : undefined);
        return <StatTile key={tab} label={copy.tiles[name]} value={value} hint={copy.hints[name]} />;
      })}
    </StatTiles>
  );
}

interface OpenedSheetProps {
  /** The request whose answers are looked at. */
  responses: string | null;
  /** The request that is changed. */
  edit: string | null;
  /** Those that are in the list. */
  requests: OwnRequest[];
  onClose: () => void;
}

/** It may be on a later page, and an answer may have it leave the list while the sheet is open. */
function OpenedSheet({ responses, edit, requests, onClose }: OpenedSheetProps) {
  const { user } = useSignedIn();
  const opened = responses ?? edit;
  const options = ownRequestQueryOptions(user.id, opened);
  const { data } = useQuery(options);
  useFreshReads(tableChanges.carRequests, [options.queryKey], ({ row }) => row.id === opened);
  const request = requests.find(({ id }) => id === opened) ?? data;
  if (!request) return null;
  if (!responses) return <EditRequestSheet request={request} onClose={onClose} />;
  return (
    <ResponsesSheet
      request={{
        id: request.id,
        status: request.status,
        car: `${request.car_make} ${request.car_model}`,
      }}
      userId={user.id}
      requestsKey={requestKeys.all}
      dealActions={(invitation) => (
        <DealDispute
          userId={invitation.importer_id}
          deal={dealStateOf(invitation)}
          otherName={invitation.agent.full_name ?? card.unknownAgent}
          size="small"
        />
      )}
      onClose={onClose}
    />
  );
}

function ListSkeleton() {
  return (
    <div aria-busy className="grid gap-5 lg:grid-cols-2">
      <Skeleton className="h-25 sm:h-11 lg:col-span-2" />
      <Skeleton className="h-80 rounded-card" />
      <Skeleton className="h-80 rounded-card" />
    </div>
  );
}
