/** An importer as agents see them: where the cars go, what may be spent, which brands. */
import type { ReactNode } from 'react';
import { CountryFlag } from '@/components/country-flag';
import { NewTabLink } from '@/components/new-tab-link';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { paths } from '@/config/paths';
import { agentDashboard } from '@/copy/dashboards';
import { importerFeed as copy } from '@/copy/directory';
import { countryName } from '@/lib/country';
import type { Importer } from '../data/importers-query';

export function ImporterCard({ importer, actions }: { importer: Importer; actions: ReactNode }) {
  const name = importer.full_name ?? agentDashboard.unknownUser;
  const profile = paths.importer.publicProfile(importer.user_id);
  return (
    <article aria-label={name} className="flex h-full flex-col rounded-card border bg-card">
      <header className="flex items-center gap-3 border-b p-4">
        <NewTabLink to={profile} icon={false} aria-hidden tabIndex={-1}>
          <Avatar name={name} src={importer.avatar_url} className="size-12" />
        </NewTabLink>
        <div className="min-w-0 leading-snug">
          <h3>
            <NewTabLink
              to={profile}
              icon={false}
              className="touch-target font-semibold hover:underline hover:underline-offset-4"
            >
              {name}
            </NewTabLink>{' '}
            <CountryFlag country={importer.country} />
          </h3>
          <p dir="auto" className="truncate text-left text-small text-muted-foreground">
            {importer.company_name ?? copy.unknown}
          </p>
        </div>
      </header>
      <dl className="flex-1 space-y-3 p-4">
        <Fact
          label={copy.location}
          value={[importer.city, countryName(importer.country)].filter(Boolean).join(', ')}
        />
        <Fact label={copy.budget} value={importer.budget_range} />
        <div>
          <dt className="text-label text-muted-foreground">{copy.interested}</dt>
          <dd className="mt-1 flex flex-wrap gap-1.5">
            {importer.interested_car_brands?.map((brand) => <Badge key={brand}>{brand}</Badge>) ??
              copy.unknown}
          </dd>
        </div>
      </dl>
      <footer className="grid auto-cols-fr grid-flow-col gap-2 border-t px-4 py-3">{actions}</footer>
    </article>
  );
}

function Fact({ label, value }: { label: string; value: string | null }) {
  return (
    <div>
      <dt className="text-label text-muted-foreground">{label}</dt>
      <dd dir="auto" className="text-left figures">
        {value || copy.unknown}
      </dd>
    </div>
  );
}
