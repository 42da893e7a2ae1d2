/** Everything known about one car on offer, as a sheet shows it. */
import type { ReactNode } from 'react';
import { PriceTag } from '@/components/price-tag';
import { RouteLine } from '@/components/route-line';
import { SpecStrip } from '@/components/spec-strip';
import { Badge } from '@/components/ui/badge';
import { app } from '@/copy/app';
import { availableCars } from '@/copy/cars';
import { offerFields } from '@/copy/offers';
import { spec } from '@/copy/posts';
import type { Json } from '@/lib/database.types';
import { formatCalendarDay, formatDay } from '@/lib/format';
import type { Post } from '../data/posts-query';
import { bodyLabel } from '../offer-choices';
import { CarGallery } from './car-gallery';
import { CopyLinkButton } from './copy-link-button';

const copy = availableCars.sheet;

interface CarDetailsProps {
  post: Post;
  badge: ReactNode;
  actions: ReactNode;
  /** Where the reader's cars go. */
  port?: string | undefined;
}

// IMC-009
export function CarDetails({ post, badge, actions, port }: CarDetailsProps) {
  return (
    <>
      <CarGallery post={post} />
      <div className="space-y-5 p-4 sm:p-5">
        <div className="flex items-center justify-between gap-3">
          <PriceTag amount={post.cnf_price} />
          {badge}
        </div>
        <CopyLinkButton postId={post.id} />
        <SpecStrip facts={post} />
        <Facts post={post} />
        {post.description && (
          <Part title={copy.description}>
            <p dir="auto" className="max-w-[68ch] break-words whitespace-pre-line">
              {post.description}
            </p>
          </Part>
        )}
        {post.features && post.features.length > 0 && (
          <Part title={copy.features}>
            <ul className="flex flex-wrap gap-1.5">
              {post.features.map((feature) => (
                <li key={feature}>
                  <Badge>{feature}</Badge>
                </li>
              ))}
            </ul>
          </Part>
        )}
        <RouteLine from={post.agent?.country} place={post.location} to={port} />
        <p className="text-small text-muted-foreground">{app.directDeals}</p>
      </div>
      <footer className="sticky bottom-0 mt-auto grid auto-cols-fr grid-flow-col gap-2 border-t bg-card px-4 py-3 sm:px-5">
        {actions}
      </footer>
    </>
  );
}

/** Gaps are shown: a missing fact is information. What the agent added freely follows. */
function Facts({ post }: { post: Post }) {
  const facts: (readonly [string, string | null])[] = [
    [copy.variant, post.variant],
    [offerFields.body, bodyLabel(post.body)],
    [copy.color, post.color],
    [copy.condition, post.condition],
    [copy.location, post.location],
    [copy.auction, post.auction_date && formatCalendarDay(post.auction_date)],
    [copy.posted, formatDay(post.created_at)],
    ...furtherFacts(post.specifications),
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd dir="auto" className="text-left break-words figures">
            {value ?? spec.unknown}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function furtherFacts(specifications: Json | null): [string, string][] {
  if (specifications === null || typeof specifications !== 'object' || Array.isArray(specifications))
    return [];
  return Object.entries(specifications)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([label, value]) => [label.replaceAll('_', ' '), String(value as string | number)]);
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="space-y-1.5">
      <h3 className="text-label text-muted-foreground">{title}</h3>
      {children}
    </div>
  );
}
