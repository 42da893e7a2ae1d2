/** One offer as a sheet: the person on top, picture and facts, the way, and what can be done. */
import type { ReactNode } from 'react';
import { CountryFlag } from '@/components/country-flag';
import { PriceTag } from '@/components/price-tag';
import { RouteLine } from '@/components/route-line';
import { SpecStrip } from '@/components/spec-strip';
import { Avatar } from '@/components/ui/avatar';
import { VerifiedSeal } from '@/components/verified-seal';
import { card } from '@/copy/posts';
import { formatAge } from '@/lib/format';
import type { Post } from '../data/posts-query';
import { AvailabilityBadge } from './availability-badge';
import { CarPicture } from './car-picture';

interface OfferCardProps {
  post: Post;
  now: Date;
  /** Stands beside the agent. */
  follow?: ReactNode;
  actions?: ReactNode;
}

export function OfferCard({ post, now, follow, actions }: OfferCardProps) {
  const titleId = `offer-${post.id}`;
  return (
    <article aria-labelledby={titleId} className="overflow-hidden rounded-card border bg-card">
      <header className="flex items-center justify-between gap-3 border-b px-4 py-3 sm:px-5">
        <AgentLine post={post} now={now} />
        {follow}
      </header>
      <div className="grid sm:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
        <CarPicture
          make={post.car_name}
          model={post.model}
          url={post.image_url}
          className="border-b sm:self-start sm:border-r"
        />
        <div className="min-w-0 space-y-3 p-4 sm:p-5">
          <div className="flex items-start justify-between gap-3">
            <h2 id={titleId} className="min-w-0 break-words text-h3">
              {post.car_name} {post.model}
            </h2>
            <AvailabilityBadge status={post.availability_status} />
          </div>
          <PriceTag amount={post.cnf_price} />
          <SpecStrip facts={post} />
        </div>
      </div>
      <div className="space-y-3 border-t p-4 sm:px-5">
        {post.description && (
          <p className="line-clamp-4 max-w-[68ch] whitespace-pre-line">{post.description}</p>
        )}
        <RouteLine from={post.agent?.country} place={post.location} />
      </div>
      {actions && (
        <footer className="grid grid-cols-3 gap-2 border-t px-4 py-3 sm:flex sm:px-5 max-sm:[&_a_svg]:hidden max-sm:[&_button_svg]:hidden">
          {actions}
        </footer>
      )}
    </article>
  );
}

function AgentLine({ post: { agent, created_at: createdAt }, now }: { post: Post; now: Date }) {
  const name = agent?.full_name ?? card.unknownAgent;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={name} src={agent?.avatar_url} />
      <div className="min-w-0 leading-snug">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-semibold">{name}</span>
          <CountryFlag country={agent?.country} />
          {agent?.verification_status === 'verified' && <VerifiedSeal verifiedAt={agent.verified_at} />}
        </p>
        <p className="dotted text-small text-muted-foreground">
          {agent?.company_name && <span className="truncate">{agent.company_name}</span>}
          <time dateTime={createdAt}>{formatAge(createdAt, now)}</time>
        </p>
      </div>
    </div>
  );
}
