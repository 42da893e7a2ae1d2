/** One review: who wrote it (or whom it is about), how many stars, when, and what was said. */
import type { ReactNode } from 'react';
import { StarRating } from '@/components/star-rating';
import { Avatar } from '@/components/ui/avatar';
import { reviews as copy } from '@/copy/reviews';
import { formatDay } from '@/lib/format';

/** A review is about so high; nothing is between two. One has many nodes: of more than a page those in sight are drawn. */
export const REVIEW_PX = { rowHeight: 112, gap: 0, virtualFrom: 21 };

interface ReviewItemProps {
  person: { full_name: string | null; avatar_url: string | null } | null | undefined;
  review: { rating: number; comment: string | null; created_at: string };
  actions?: ReactNode;
}

export function ReviewItem({ person, review, actions }: ReviewItemProps) {
  const name = person?.full_name ?? copy.anonymous;
  return (
    <article className="flex gap-3 p-4 sm:px-5">
      <Avatar name={name} src={person?.avatar_url} />
      <div className="min-w-0 flex-1">
        <header className="flex flex-wrap items-center justify-between gap-x-4">
          <p dir="auto" className="min-w-0 font-semibold break-words">
            {name}
          </p>
          <time dateTime={review.created_at} className="text-small text-muted-foreground figures">
            {formatDay(review.created_at)}
          </time>
        </header>
        <StarRating rating={review.rating} />
        {review.comment && (
          <p dir="auto" className="mt-1.5 max-w-[68ch] break-words whitespace-pre-line">
            {review.comment}
          </p>
        )}
        {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </article>
  );
}
