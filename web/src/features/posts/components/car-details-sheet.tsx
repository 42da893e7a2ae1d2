/** Everything known about one car on offer. */
import type { ReactNode } from 'react';
import { PriceTag } from '@/components/price-tag';
import { RouteLine } from '@/components/route-line';
import { SpecStrip } from '@/components/spec-strip';
import { Badge } from '@/components/ui/badge';
import { Sheet, SheetContent } from '@/components/ui/sheet';
import { app } from '@/copy/app';
import { availableCars } from '@/copy/cars';
import { spec } from '@/copy/posts';
import type { Json } from '@/lib/database.types';
import { formatDay } from '@/lib/format';
import { foreignPicture, ownPicture } from '@/lib/own-picture';
import type { Post } from '../data/posts-query';
import { CarPicture } from './car-picture';

const copy = availableCars.sheet;

interface CarDetailsSheetProps {
  post: Post;
  badge: ReactNode;
  actions: ReactNode;
  onClose: () => void;
}

// IMC-009
export function CarDetailsSheet({ post, badge, actions, onClose }: CarDetailsSheetProps) {
  const name = `${post.car_name} ${post.model}`;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent side="right" title={name} closeLabel={app.dismiss}>
        <CarPicture
          make={post.car_name}
          model={post.model}
          url={post.image_url}
          className="shrink-0 border-b"
        />
        <MorePictures post={post} />
        <div className="space-y-5 p-4 sm:p-5">
          <div className="flex items-center justify-between gap-3">
            <PriceTag amount={post.cnf_price} />
            {badge}
          </div>
          <SpecStrip facts={post} />
          <Facts post={post} />
          {post.description && (
            <Part title={copy.description}>
              <p className="max-w-[68ch] break-words whitespace-pre-line">{post.description}</p>
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
          <RouteLine from={post.agent?.country} place={post.location} />
          <p className="text-small text-muted-foreground">{app.directDeals}</p>
        </div>
        <footer className="sticky bottom-0 mt-auto grid grid-cols-2 gap-2 border-t bg-card px-4 py-3 sm:px-5">
          {actions}
        </footer>
      </SheetContent>
    </Sheet>
  );
}

function MorePictures({ post: { car_name: make, model, ...post } }: { post: Post }) {
  const pictures = (post.image_urls ?? [])
    .filter((url) => url !== post.image_url)
    .filter((url) => ownPicture(url) ?? foreignPicture(url));
  if (pictures.length === 0) return null;
  return (
    <ul aria-label={copy.pictures} className="grid grid-cols-4 border-b">
      {pictures.map((url, index) => (
        <li key={url} className="-mb-px border-r border-b">
          <CarPicture
            make={make}
            model={model}
            url={url}
            alt={`${make} ${model} ${index + 1}`}
            caption={null}
            asking="tile"
          />
        </li>
      ))}
    </ul>
  );
}

/** Gaps are shown: a missing fact is information. What the agent added freely follows. */
function Facts({ post }: { post: Post }) {
  const facts: (readonly [string, string | null])[] = [
    [copy.variant, post.variant],
    [copy.color, post.color],
    [copy.condition, post.condition],
    [copy.location, post.location],
    [copy.auction, post.auction_date && formatDay(post.auction_date)],
    [copy.posted, formatDay(post.created_at)],
    ...furtherFacts(post.specifications),
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd className="break-words figures">{value ?? spec.unknown}</dd>
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
