/** One request as a row: an edge for its urgency, the car, the facts, and the importer behind it. */
import type { ReactNode } from 'react';
import { CountryFlag } from '@/components/country-flag';
import { NewTabLink } from '@/components/new-tab-link';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { paths } from '@/config/paths';
import { requests as copy, urgency } from '@/copy/requests';
import { cn } from '@/lib/class-names';
import { countryName } from '@/lib/country';
import { formatAge } from '@/lib/format';
import { budgetText, fuelName, transmissionName, yearsText } from '@/lib/wishes';
import type { FoundRequest } from '../data/request-answers';

const EDGES = {
  high: 'border-l-urgency-high',
  medium: 'border-l-urgency-medium',
  low: 'border-l-urgency-low',
  standard: 'border-l-urgency-standard',
} as const;

const TONES = { high: 'danger', medium: 'warning', low: 'success', standard: 'neutral' } as const;

interface RequestRowProps {
  request: FoundRequest;
  now: Date;
  action: ReactNode;
}

// ARF-005, STA-005
export function RequestRow({ request, now, action }: RequestRowProps) {
  const level = request.urgency in EDGES ? (request.urgency as keyof typeof EDGES) : 'standard';
  const titleId = `request-${request.id}`;
  return (
    <article
      aria-labelledby={titleId}
      className={cn('space-y-4 rounded-card border border-l-4 bg-card p-4 sm:p-5', EDGES[level])}
    >
      <header className="flex items-start justify-between gap-4">
        <h2 dir="auto" id={titleId} className="min-w-0 text-left break-words text-h3">
          {request.car_make} {request.car_model}
        </h2>
        <Badge tone={TONES[level]}>{urgency[level]}</Badge>
      </header>
      <Facts request={request} />
      {request.description && (
        <p dir="auto" className="line-clamp-3 max-w-[68ch]">
          {request.description}
        </p>
      )}
      <footer className="flex flex-wrap items-center justify-between gap-4 border-t pt-4">
        <Importer request={request} now={now} />
        {action}
      </footer>
    </article>
  );
}

function Facts({ request }: { request: FoundRequest }) {
  const facts = [
    [copy.year, yearsText(request)],
    [copy.budget, budgetText(request)],
    [copy.condition, request.condition],
    [copy.fuel, fuelName(request.fuel_type)],
    [copy.transmission, transmissionName(request.transmission)],
    [copy.port, request.shipping_port],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd dir="auto" className="text-left break-words figures">
            {value ?? copy.unknown}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Importer({ request, now }: { request: FoundRequest; now: Date }) {
  const { importer } = request;
  const name = importer?.full_name ?? copy.unknownUser;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <NewTabLink
        to={paths.importer.publicProfile(request.importer_id)}
        icon={false}
        aria-hidden
        tabIndex={-1}
      >
        <Avatar name={name} src={importer?.avatar_url ?? null} className="size-11 sm:size-10" />
      </NewTabLink>
      <div className="min-w-0 leading-snug">
        <NewTabLink
          to={paths.importer.publicProfile(request.importer_id)}
          className="touch-target inline-flex items-center gap-1.5 font-semibold hover:underline hover:underline-offset-4"
        >
          {name}
        </NewTabLink>
        <p dir="auto" className="text-small text-muted-foreground">
          <CountryFlag country={importer?.country ?? null} />{' '}
          {[importer?.city, countryName(importer?.country)].filter(Boolean).join(', ')} ·{' '}
          <span className="whitespace-nowrap">{formatAge(request.created_at, now)}</span>
        </p>
      </div>
    </div>
  );
}
