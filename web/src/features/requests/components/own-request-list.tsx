/** An importer's requests under tabs and a dropdown. */
import { MessageSquareReply, PenLine, RotateCw } from 'lucide-react';
import { Link } from 'react-router-dom';
import { ArrivalNotice } from '@/components/arrival-notice';
import { EmptyState } from '@/components/empty-state';
import { PagedList } from '@/components/paged-list';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/select';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { paths } from '@/config/paths';
import { myRequests as copy, requests } from '@/copy/requests';
import { useMediaQuery } from '@/hooks/use-media-query';
import { useSearchState } from '@/lib/search-params';
import type { OwnRequest } from '../data/own-requests-query';
import { ownCount, ownRequestFilter } from '../own-request-filter';
import { requestTabs, type RequestTab } from '../request-filter';
import type { Requests } from '../use-requests';
import { DeleteRequestButton } from './delete-request-button';
import { OwnRequestCard } from './own-request-card';

/** A card is large: of a full page of them only those near the window are drawn. */
const VIRTUAL_FROM = 24;
const ROW_PX = { height: 420, gap: 20 };
/** From here on two stand beside each other. */
const WIDE = '(width >= 64rem)';

interface OpenSheet {
  kind: 'edit' | 'responses';
  requestId: string;
}

interface CardsProps {
  requests: Requests;
  onOpen: (sheet: OpenSheet) => void;
}

export function OwnRequestList(props: CardsProps) {
  const [{ tab, only }, setSearch] = useSearchState(ownRequestFilter);
  const { list, counts } = props.requests;
  if (ownCount(counts, 'all') === 0 && list.data?.length === 0) return <NoRequests />;
  return (
    <Tabs value={tab} onValueChange={(next) => setSearch({ tab: next as RequestTab })}>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-end sm:justify-between sm:gap-6">
        <TabsList aria-label={copy.title} className="min-w-0 flex-1 overflow-x-auto overflow-y-hidden">
          {requestTabs.map((value) => (
            <TabsTrigger key={value} value={value} className="flex-none figures">
              {copy.tabs[value]} ({ownCount(counts, value) ?? '–'})
            </TabsTrigger>
          ))}
        </TabsList>
        <div className="w-full sm:w-52">
          <Select
            aria-label={copy.filterLabel}
            value={only}
            onChange={(event) => setSearch({ only: event.target.value as RequestTab })}
          >
            {requestTabs.map((value) => (
              <option key={value} value={value}>
                {copy.filter[value]}
              </option>
            ))}
          </Select>
        </div>
      </div>
      <TabsContent value={tab} className="pt-5">
        <Cards {...props} />
      </TabsContent>
    </Tabs>
  );
}

function Cards({ requests: { list, counts }, onOpen }: CardsProps) {
  const isWide = useMediaQuery(WIDE);
  if (list.data?.length === 0 && !list.isPrevious && !list.hasMore) {
    return (
      <EmptyState
        title={copy.emptyFilter.title}
        text={copy.emptyFilter.text}
        className="rounded-card border bg-card"
      />
    );
  }
  return (
    <>
      <ArrivalNotice list={list} label={requests.newRequests} />
      <PagedList
        list={list}
        total={counts?.total}
        rowHeight={ROW_PX.height}
        gap={ROW_PX.gap}
        columns={isWide ? 2 : 1}
        virtualFrom={VIRTUAL_FROM}
        className="grid grid-cols-1 gap-5 lg:grid-cols-2"
      >
        {(request) => (
          <OwnRequestCard
            request={request}
            actions={<Actions request={request} count={request.responses} onOpen={onOpen} />}
          />
        )}
      </PagedList>
    </>
  );
}

interface ActionsProps {
  request: OwnRequest;
  count: number;
  onOpen: (sheet: OpenSheet) => void;
}

function Actions({ request, count, onOpen }: ActionsProps) {
  return (
    <>
      <Button
        size="small"
        variant={count > 0 ? 'primary' : 'outline'}
        className="w-full figures sm:mr-auto sm:w-auto"
        onClick={() => onOpen({ kind: 'responses', requestId: request.id })}
      >
        <MessageSquareReply aria-hidden />
        {copy.responses(count)}
      </Button>
      <Button
        writes
        size="small"
        variant="outline"
        className="flex-1 sm:flex-none"
        onClick={() => onOpen({ kind: 'edit', requestId: request.id })}
      >
        <PenLine aria-hidden />
        {copy.edit}
      </Button>
      {request.status === 'expired' && (
        <Button writes size="small" className="flex-1 sm:flex-none" asChild>
          <Link to={paths.importer.postAgain(request.id)}>
            <RotateCw aria-hidden />
            {copy.again}
          </Link>
        </Button>
      )}
      <DeleteRequestButton request={request} />
    </>
  );
}

function NoRequests() {
  return (
    <EmptyState
      title={copy.empty.title}
      text={copy.empty.text}
      action={
        <Button writes asChild>
          <Link to={paths.importer.postRequest}>{copy.empty.action}</Link>
        </Button>
      }
      className="rounded-card border bg-card"
    />
  );
}
