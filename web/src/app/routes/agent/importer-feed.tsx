import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { NewTabLink } from '@/components/new-tab-link';
import { PageHeading } from '@/components/page-heading';
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
import { importersQueryOptions } from '@/features/importers/data/importers-query';
import { everyImporter, filterImporters, type Importer } from '@/features/importers/importer-filter';
import { InviteButton } from '@/features/invitations/components/invite-button';
import { useSignedIn } from '@/lib/auth/auth-context';

const LIMIT = 20;

// AIF-008, AIF-009, AIF-014
export default function ImporterFeedScreen() {
  const { data, error, isPending, refetch } = useQuery(importersQueryOptions(LIMIT));
  const [filter, setFilter] = useState(everyImporter);
  const importers = data ?? [];
  const found = filterImporters(importers, filter);
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
        <ImporterTools importers={importers} filter={filter} onChange={setFilter} found={found.length} />
      </header>
      <section aria-labelledby="importers-title" aria-busy={isPending}>
        <div className="mb-4 flex items-center gap-3">
          <h2 id="importers-title" className="text-h3">
            {copy.list}
          </h2>
          {!isPending && (
            <Badge tone="tag" className="figures">
              {found.length}
            </Badge>
          )}
        </div>
        {error && <NotLoaded isEmpty={!data} onRetry={() => void refetch()} />}
        {isPending ? <CardsSkeleton /> : <Cards importers={found} />}
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

function Cards({ importers }: { importers: Importer[] }) {
  if (importers.length === 0) {
    return (
      <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
    );
  }
  return (
    <ul className="grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-3">
      {importers.map((importer) => (
        <li key={importer.user_id}>
          <ImporterCard importer={importer} actions={<Actions importer={importer} />} />
        </li>
      ))}
    </ul>
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
