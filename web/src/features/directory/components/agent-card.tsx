/** An agent as the directory shows them: the seal, the rating, and the figures a buyer asks for. */
import type { ReactNode } from 'react';
import { CountryFlag } from '@/components/country-flag';
import { StarRating } from '@/components/star-rating';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { VerifiedSeal } from '@/components/verified-seal';
import { directory as copy } from '@/copy/directory';
import { card } from '@/copy/posts';
import { countryName } from '@/lib/country';
import type { DirectoryAgent } from '../data/agents-query';

export function AgentCard({ agent, actions }: { agent: DirectoryAgent; actions: ReactNode }) {
  const name = agent.full_name || card.unknownAgent;
  const titleId = `agent-${agent.user_id}`;
  return (
    <article aria-labelledby={titleId} className="flex h-full flex-col rounded-card border bg-card">
      <header className="flex items-start gap-3 border-b p-4">
        <Avatar name={name} src={agent.avatar_url} px={56} className="size-14" />
        <div className="min-w-0 leading-snug">
          <h2 id={titleId} dir="auto" className="truncate text-left text-h3">
            {name}
          </h2>
          <p dir="auto" className="truncate text-left text-small text-muted-foreground">
            <CountryFlag country={agent.country} />{' '}
            {[agent.city, countryName(agent.country)].filter(Boolean).join(', ')}
          </p>
          <VerifiedSeal verifiedAt={agent.verified_at} />
        </div>
      </header>
      <div className="flex flex-1 flex-col gap-4 p-4">
        <Rating agent={agent} />
        <ul className="flex flex-wrap gap-1.5">
          {agent.specialties?.map((specialty) => (
            <li key={specialty}>
              <Badge>{specialty}</Badge>
            </li>
          ))}
        </ul>
        <Figures agent={agent} />
      </div>
      <footer className="grid grid-cols-2 gap-2 border-t px-4 py-3">{actions}</footer>
    </article>
  );
}

function Rating({ agent }: { agent: DirectoryAgent }) {
  if (agent.reviews_count === 0) return <p className="text-small text-muted-foreground">{copy.noReviews}</p>;
  return (
    <p className="flex items-center gap-2">
      <StarRating rating={agent.rating} />
      <span aria-hidden className="font-semibold figures">
        {agent.rating.toFixed(1)}
      </span>
      <span className="text-small text-muted-foreground figures">{copy.reviews(agent.reviews_count)}</span>
    </p>
  );
}

function Figures({ agent }: { agent: DirectoryAgent }) {
  const figures = [
    [copy.experience, agent.experience && copy.years(agent.experience)],
    [copy.deals, String(agent.active_deals)],
    [copy.response, agent.response_time],
  ] as const;
  return (
    <dl className="mt-auto divide-y rounded-control border text-small">
      {figures.map(([label, value]) => (
        <div key={label} className="flex items-center justify-between gap-4 px-3 py-1.5">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd dir="auto" className="text-left figures">
            {value || copy.unknown}
          </dd>
        </div>
      ))}
    </dl>
  );
}
