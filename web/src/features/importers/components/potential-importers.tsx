/** A strip of importers an agent may invite; the screen brings the button. */
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { CountryFlag } from '@/components/country-flag';
import { NewTabLink } from '@/components/new-tab-link';
import { QueryView } from '@/components/query-view';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { agentDashboard } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import { countryName } from '@/lib/country';
import type { Tables as Row } from '@/lib/database.types';
import { potentialImportersOptions } from '../data/importers-query';

const copy = agentDashboard.potential;
const LIMIT = 10;

interface PotentialImportersProps {
  action: (importer: Row<'profiles'>) => ReactNode;
}

// AGD-010, AGD-011, AGD-013
export function PotentialImporters({ action }: PotentialImportersProps) {
  const query = useQuery(potentialImportersOptions(LIMIT));
  return (
    <Card aria-labelledby="potential-title" aria-busy={query.isPending} className="@container">
      <CardHeader>
        <CardTitle id="potential-title">{copy.title}</CardTitle>
        <Button variant="link" size="inline" asChild>
          <Link to={paths.agent.importerFeed}>{copy.all}</Link>
        </Button>
      </CardHeader>
      <QueryView
        query={query}
        error={errors.fetch.importers}
        pending={<Skeleton className="m-5 h-16" />}
        className="p-4"
      >
        {(importers) => <ImporterStrip importers={importers} action={action} />}
      </QueryView>
    </Card>
  );
}

function ImporterStrip({ importers, action }: PotentialImportersProps & { importers: Row<'profiles'>[] }) {
  if (importers.length === 0) return <p className="p-4 text-muted-foreground sm:px-5">{copy.empty}</p>;
  return (
    <ul className="grid grid-cols-1 gap-px overflow-hidden rounded-b-card bg-border @2xl:grid-cols-2">
      {importers.map((importer) => (
        <li key={importer.user_id} className="flex items-center bg-card pr-4 sm:pr-5">
          <ImporterEntry importer={importer} />
          {action(importer)}
        </li>
      ))}
    </ul>
  );
}

function ImporterEntry({ importer }: { importer: Row<'profiles'> }) {
  const name = importer.full_name ?? agentDashboard.unknownUser;
  return (
    <NewTabLink
      to={paths.importer.publicProfile(importer.user_id)}
      icon={false}
      className="flex h-full min-w-0 flex-1 items-center gap-3 px-4 py-3 hover:bg-muted focus-visible:-outline-offset-2 sm:px-5"
    >
      <Avatar name={name} src={importer.avatar_url} />
      <span className="min-w-0 leading-snug">
        <span className="flex gap-1 font-semibold">
          <span dir="auto" className="truncate text-left">
            {name}
          </span>{' '}
          <CountryFlag country={importer.country} />
        </span>
        <span dir="auto" className="block truncate text-left text-small text-muted-foreground">
          {importer.interested_car_brands?.join(', ') || countryName(importer.country)}
        </span>
      </span>
    </NewTabLink>
  );
}
