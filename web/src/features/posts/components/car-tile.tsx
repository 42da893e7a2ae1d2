/** An offer small enough to stand beside others: picture, name, price, facts, agent. */
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CountryFlag } from '@/components/country-flag';
import { PriceTag } from '@/components/price-tag';
import { SpecLine } from '@/components/spec-line';
import { SpecStrip, specRows } from '@/components/spec-strip';
import { Avatar } from '@/components/ui/avatar';
import { VerifiedSeal } from '@/components/verified-seal';
import { card } from '@/copy/posts';
import type { PostCard } from '../data/posts-query';
import { CarPicture } from './car-picture';

interface CarTileProps {
  post: PostCard;
  badge: ReactNode;
  actions: ReactNode;
  /** Where the car is shown in full. */
  to?: string;
  /** Among the tiles that are seen first. */
  isFirst?: boolean;
}

export function CarTile({ post, badge, actions, to, isFirst }: CarTileProps) {
  const titleId = `car-${post.id}`;
  const subline = [post.variant, post.location].filter(Boolean).join(' · ');
  return (
    <article
      aria-labelledby={titleId}
      className="flex h-full flex-col overflow-hidden rounded-card border bg-card"
    >
      <CarPicture
        make={post.car_name}
        model={post.model}
        body={post.body}
        url={post.image_url}
        sizes="(min-width: 80rem) 22rem, (min-width: 40rem) 45vw, calc(100vw - 2rem)"
        isFirst={isFirst}
        className="border-b"
      />
      <div className="flex flex-1 flex-col gap-3 p-4">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 id={titleId} dir="auto" className="text-left break-words text-h3">
              <Title to={to}>
                {post.car_name} {post.model}
              </Title>
            </h2>
            <p dir="auto" className="truncate text-left text-small text-muted-foreground">
              {subline || ' '}
            </p>
          </div>
          {badge}
        </div>
        <PriceTag amount={post.cnf_price} />
        {isWellDescribed(post) ? (
          <SpecStrip facts={post} className="mt-auto text-small" />
        ) : (
          <SpecLine facts={post} className="mt-auto text-small" />
        )}
        <AgentLine agent={post.agent} />
      </div>
      <footer className="grid grid-cols-2 gap-2 border-t px-4 py-3">{actions}</footer>
    </article>
  );
}

function Title({ to, children }: { to: string | undefined; children: ReactNode }) {
  if (to === undefined) return children;
  return (
    <Link to={to} className="touch-target underline-offset-4 hover:underline">
      {children}
    </Link>
  );
}

/** A grid of dashes tells less than a sentence. */
function isWellDescribed(post: PostCard): boolean {
  return specRows(post).filter(([, value]) => value !== null).length >= 3;
}

function AgentLine({ agent }: Pick<PostCard, 'agent'>) {
  const name = agent?.full_name ?? card.unknownAgent;
  return (
    <div className="flex min-w-0 items-center gap-2.5">
      <Avatar name={name} src={agent?.avatar_url} className="size-8" />
      <p dir="auto" className="min-w-0 flex-1 truncate text-left text-small font-semibold">
        {name} <CountryFlag country={agent?.country} />
      </p>
      {agent?.verification_status === 'verified' && <VerifiedSeal verifiedAt={agent.verified_at} />}
    </div>
  );
}
