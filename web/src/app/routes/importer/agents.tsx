import { MessageCircle, UserRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { PageHeading } from '@/components/page-heading';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { useCardGrid } from '@/components/use-card-grid';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { directory as copy } from '@/copy/directory';
import { navigation } from '@/copy/navigation';
import { AgentCard } from '@/features/directory/components/agent-card';
import { AgentFilters } from '@/features/directory/components/agent-filters';
import {
  agentCities,
  agentSpecialties,
  agentsQueryOptions,
  type DirectoryAgent,
} from '@/features/directory/data/agents-query';
import { useDebounced } from '@/hooks/use-debounced';
import { usePagedList, type PagedList as List } from '@/lib/lists/use-paged-list';
import { oneOf, typed, useSearchState } from '@/lib/search-params';

const SEARCH = {
  search: typed(),
  city: oneOf(['', ...agentCities], ''),
  specialty: oneOf(['', ...agentSpecialties], ''),
};

export default function BrowseAgentsScreen() {
  const [filter, setFilter] = useSearchState(SEARCH);
  const asked = { ...filter, search: useDebounced(filter.search) };
  const list = usePagedList(agentsQueryOptions(asked));
  const total = list.data?.at(-1)?.total ?? 0;
  return (
    <div>
      <PageHeading title={navigation.importer.agents}>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.subtitle}</p>
      <AgentFilters value={filter} onChange={setFilter} found={total} />
      <QueryView query={list} error={copy.failed} pending={<GridSkeleton />} className="mt-5">
        {(agents) => (
          <>
            <p role="status" className="mt-4 mb-4 text-small text-muted-foreground figures">
              {copy.found(agents.length, total)}
            </p>
            {agents.length === 0 ? <Nobody /> : <Agents list={list} total={total} />}
          </>
        )}
      </QueryView>
    </div>
  );
}

function Nobody() {
  return (
    <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
  );
}

function Agents({ list, total }: { list: List<DirectoryAgent>; total: number }) {
  const grid = useCardGrid({ height: 380, virtualFrom: 18 });
  return (
    <PagedList list={list} total={total} more={copy.more} {...grid}>
      {(agent) => (
        <AgentCard
          agent={agent}
          actions={
            <>
              <Button size="small" asChild>
                <Link to={`${paths.importer.messages}?agent=${agent.user_id}`}>
                  <MessageCircle aria-hidden />
                  {copy.contact}
                </Link>
              </Button>
              <Button size="small" variant="outline" asChild>
                <Link to={paths.agent.publicProfile(agent.user_id)}>
                  <UserRound aria-hidden />
                  {copy.profile}
                </Link>
              </Button>
            </>
          }
        />
      )}
    </PagedList>
  );
}

function GridSkeleton() {
  return (
    <div aria-busy className="mt-14 grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <Skeleton key={card} className="h-80 rounded-card" />
      ))}
    </div>
  );
}
