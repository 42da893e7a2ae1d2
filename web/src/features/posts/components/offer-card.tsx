/** One offer as a sheet: the person on top, picture and facts, the way, and what can be done. */
import type { ReactNode } from 'react';
import { CountryFlag } from '@/components/country-flag';
import { PriceTag } from '@/components/price-tag';
import { RouteLine } from '@/components/route-line';
import { SpecLine } from '@/components/spec-line';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { VerifiedSeal } from '@/components/verified-seal';
import { card, availability } from '@/copy/posts';
import { formatAge } from '@/lib/format';
import type { PostCard } from '../data/posts-query';
import { CarPicture } from './car-picture';

interface OfferCardProps {
  post: PostCard;
  now: Date;
  /** Where the reader's cars go. */
  port?: string | undefined;
  /** Stands beside the agent. */
  follow?: ReactNode;
  actions?: ReactNode;
  /** Among the cards that are seen first. */
  isFirst?: boolean;
  /** Shows the car in full. */
  onOpen?: (postId: string) => void;
}

export function OfferCard({ post, now, port, follow, actions, isFirst, onOpen }: OfferCardProps) {
  const titleId = `offer-${post.id}`;
  const name = `${post.car_name} ${post.model}`;
  return (
    <article aria-labelledby={titleId} className="overflow-hidden rounded-card border bg-card">
      <header className="flex items-center justify-between gap-3 border-b px-4 py-2 sm:px-5">
        <AgentLine post={post} now={now} />
        {follow && <div className="shrink-0 max-sm:[&_svg]:hidden">{follow}</div>}
      </header>
      <div className="grid sm:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]">
        <CarPicture
          make={post.car_name}
          model={post.model}
          body={post.body}
          url={post.image_url}
          sizes="(min-width: 40rem) 15rem, calc(100vw - 2rem)"
          isFirst={isFirst}
          className="border-b sm:self-start sm:border-r sm:border-b-0"
        />
        <div className="min-w-0 space-y-2 p-4 sm:px-5 sm:py-3">
          <div className="flex items-start justify-between gap-3">
            <h2 id={titleId} dir="auto" className="min-w-0 text-left break-words text-h3">
              {onOpen ? <TitleButton onOpen={() => onOpen(post.id)}>{name}</TitleButton> : name}
            </h2>
            <AvailabilityBadge status={post.availability_status} />
          </div>
          <PriceTag amount={post.cnf_price} />
          <SpecLine facts={post} />
          {post.description && (
            <p className="line-clamp-2 text-muted-foreground" dir="auto">
              {post.description}
            </p>
          )}
        </div>
      </div>
      <footer className="flex flex-col gap-3 border-t px-4 py-2.5 sm:flex-row sm:items-center sm:justify-between sm:gap-6 sm:px-5">
        <RouteLine
          from={post.agent?.country}
          place={post.location}
          to={port}
          className="min-w-0 sm:max-w-72 sm:flex-1"
        />
        {actions && (
          <div className="grid grid-cols-3 gap-2 sm:flex max-sm:[&_a_svg]:hidden max-sm:[&_button_svg]:hidden">
            {actions}
          </div>
        )}
      </footer>
    </article>
  );
}

function TitleButton({ onOpen, children }: { onOpen: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="touch-target text-left underline-offset-4 hover:underline"
    >
      {children}
    </button>
  );
}

function AgentLine({ post: { agent, created_at: createdAt }, now }: { post: PostCard; now: Date }) {
  const name = agent?.full_name ?? card.unknownAgent;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={name} src={agent?.avatar_url} />
      <div className="min-w-0 leading-snug">
        <p className="flex items-center gap-x-2 sm:flex-wrap">
          <span dir="auto" className="line-clamp-2 min-w-0 text-left font-semibold break-words">
            {name}
          </span>
          <CountryFlag country={agent?.country} />
          {agent?.verification_status === 'verified' && (
            <VerifiedSeal isShort verifiedAt={agent.verified_at} />
          )}
        </p>
        <p className="dotted text-small text-muted-foreground">
          {agent?.company_name && (
            <span className="truncate">
              <bdi>{agent.company_name}</bdi>
            </span>
          )}
          <time dateTime={createdAt}>{formatAge(createdAt, now)}</time>
        </p>
      </div>
    </div>
  );
}

const TONES = { available: 'success', pending: 'warning', sold: 'neutral' } as const;

// STA-004
export function AvailabilityBadge({ status }: { status: string }) {
  const known = status in TONES ? (status as keyof typeof TONES) : 'available';
  return <Badge tone={TONES[known]}>{availability[known]}</Badge>;
}
