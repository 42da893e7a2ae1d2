import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useEffect } from 'react';
import { EmptyState } from '@/components/empty-state';
import { NewTabLink } from '@/components/new-tab-link';
import { PageHeading } from '@/components/page-heading';
import { PagedList } from '@/components/paged-list';
import { useCardGrid } from '@/components/use-card-grid';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { importerFeed as copy } from '@/copy/directory';
import { agentDashboard } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import { invite } from '@/copy/requests';
import { ImporterCard } from '@/features/importers/components/importer-card';
import { ImporterTools } from '@/features/importers/components/importer-tools';
import {
  importerCountsOptions,
  importerListOptions,
  type Importer,
} from '@/features/importers/data/importers-query';
import { importerFilter, searchOfImporters } from '@/features/importers/importer-filter';
import { InviteButton } from '@/features/invitations/components/invite-button';
import { useDebounced } from '@/hooks/use-debounced';
import { useSignedIn } from '@/lib/auth/auth-context';
import { usePagedList, type PagedList as List } from '@/lib/lists/use-paged-list';
import { useSearchState } from '@/lib/search-params';

// AIF-008, AIF-009, AIF-014
export default function ImporterFeedScreen() {
  const [filter, setFilter] = useSearchState(importerFilter);
  const search = searchOfImporters({ ...filter, search: useDebounced(filter.search) });
  const list = usePagedList(importerListOptions(search));
  const { data: counts } = useQuery(importerCountsOptions(search));
  const { data, error } = list;
  const isPending = !data && !error;
  // As documented a failure is logged and the list stays empty; that nobody is there is not said of it alone.
  useEffect(() => {
    if (error) console.warn('Importers could not be read', error.message);
  }, [error]);
  return (
    <div>
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <PageHeading>{copy.title}</PageHeading>
          <p className="mt-1 text-muted-foreground">{copy.subtitle}</p>
        </div>
        <ImporterTools counts={counts} filter={filter} onChange={setFilter} />
      </header>
      <section aria-labelledby="importers-title" aria-busy={isPending}>
        <div className="mb-4 flex items-center gap-3">
          <h2 id="importers-title" className="text-h3">
            {copy.list}
          </h2>
          {!isPending && (
            <Badge tone="tag" className="figures">
              {(counts?.total ?? data?.length ?? 0).toLocaleString('en-US')}
            </Badge>
          )}
        </div>
        {error && <NotLoaded isEmpty={!data} onRetry={() => void list.refetch()} />}
        {isPending ? <CardsSkeleton /> : <Cards list={list} total={counts?.total} />}
      </section>
    </div>
  );
}

function NotLoaded({ isEmpty, onRetry }: { isEmpty: boolean; onRetry: () => void }) {
  return (
    <div className="mb-4">
      <Alert
        tone={isEmpty ? 'destructive' : 'info'}
        text={isEmpty ? copy.failed : errors.stale}
        action={
          <Button variant="outline" size="small" className="mt-3" onClick={onRetry}>
            {app.tryAgain}
          </Button>
        }
      />
    </div>
  );
}

interface CardsProps {
  list: List<Importer>;
  /** How many there are, once it is known. */
  total: number | undefined;
}

function Cards({ list, total }: CardsProps) {
  const grid = useCardGrid({ height: 330, virtualFrom: 21 });
  if (!list.data || (list.data.length === 0 && !list.isPrevious)) {
    return (
      <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
    );
  }
  return (
    <PagedList list={list} total={total} {...grid}>
      {(importer) => <ImporterCard importer={importer} actions={<Actions importer={importer} />} />}
    </PagedList>
  );
}

function Actions({ importer }: { importer: Importer }) {
  const { user, profile } = useSignedIn();
  const name = importer.full_name ?? agentDashboard.unknownUser;
  return (
    <>
      {importer.allow_invitations && (
        <InviteButton
          sender={{ id: user.id, type: profile.user_type }}
          invitation={{ importer: { id: importer.user_id, name } }}
          label={copy.invite}
          sentText={invite.sentShort}
          size="small"
          className="w-full"
        />
      )}
      <Button size="small" variant="outline" asChild>
        <NewTabLink to={paths.importer.publicProfile(importer.user_id)} icon={false}>
          <UserRound aria-hidden />
          {copy.profile}
        </NewTabLink>
      </Button>
    </>
  );
}

function CardsSkeleton() {
  return (
    <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
      {[1, 2, 3].map((card) => (
        <Skeleton key={card} className="h-72 rounded-card" />
      ))}
    </div>
  );
}
