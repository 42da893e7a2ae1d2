/** Five stars to the eye, '4.5 out of 5' to everything that reads text. */
import { Star } from 'lucide-react';
import { reviews } from '@/copy/reviews';
import { cn } from '@/lib/class-names';

const STARS = [1, 2, 3, 4, 5] as const;

export function StarRating({ rating, className }: { rating: number; className?: string }) {
  return (
    <span role="img" aria-label={reviews.outOf(rating)} className={cn('inline-flex gap-0.5', className)}>
      {STARS.map((star) => (
        <StarMark key={star} part={Math.min(1, Math.max(0, rating - star + 1))} />
      ))}
    </span>
  );
}

/** `part` of the star is filled, from 0 to 1. */
export function StarMark({ part, className }: { part: number; className?: string }) {
  return (
    <span aria-hidden className={cn('relative inline-block size-4', className)}>
      <Star className="absolute inset-0 size-full text-input" strokeWidth={1.5} />
      <span className="absolute inset-y-0 left-0 overflow-hidden" style={{ width: `${part * 100}%` }}>
        <Star className="[aspect-ratio:1] h-full w-auto fill-accent text-warning" strokeWidth={1.5} />
      </span>
    </span>
  );
}
