/** An offer in one line of a dashboard. */
import { Link } from 'react-router-dom';
import { CountryFlag } from '@/components/country-flag';
import { Skeleton } from '@/components/ui/skeleton';
import { card, price } from '@/copy/posts';
import { formatAge, formatPrice } from '@/lib/format';
import type { PostCard } from '../data/posts-query';
import { CarPicture } from './car-picture';
import { AvailabilityBadge } from './offer-card';

interface OfferRowProps {
  post: PostCard;
  now: Date;
  to: string;
}

export function OfferRow({ post, now, to }: OfferRowProps) {
  const name = post.agent?.full_name ?? card.unknownAgent;
  return (
    <Link
      to={to}
      className="flex items-center gap-4 px-4 py-3 transition-colors hover:bg-muted focus-visible:-outline-offset-2 sm:px-5"
    >
      <CarPicture
        make={post.car_name}
        model={post.model}
        body={post.body}
        url={post.image_url}
        sizes="7rem"
        caption={null}
        asking="never"
        className="w-24 shrink-0 rounded-control border sm:w-28"
      />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-left font-semibold">
          {post.car_name} {post.model}
        </span>
        <span dir="auto" className="block truncate text-left text-small text-muted-foreground">
          {name} <CountryFlag country={post.agent?.country} /> · {formatAge(post.created_at, now)}
        </span>
        <span className="mt-0.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <Amount value={post.cnf_price} />
          <AvailabilityBadge status={post.availability_status} />
        </span>
      </span>
    </Link>
  );
}

function Amount({ value }: { value: number | null }) {
  if (value === null) return <span className="text-small text-muted-foreground">{price.unknown}</span>;
  return (
    <span className="font-semibold figures">
      <span className="text-label text-muted-foreground">{price.basis}</span> {formatPrice(value)}
    </span>
  );
}

export function OfferRowSkeleton() {
  return (
    <div aria-hidden className="flex items-center gap-4 px-5 py-3">
      <Skeleton className="aspect-4/3 w-28" />
      <div className="flex-1 space-y-2">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-3 w-56" />
        <Skeleton className="h-4 w-24" />
      </div>
    </div>
  );
}
