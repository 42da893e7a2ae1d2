/** How many cars of what the feed shows can still be had; what is reserved or sold is shown but not counted. */
import { feed as copy, feedCount } from '@/copy/posts';
import type { OfferCounts } from '@/features/posts/data/offer-answers';

// FED-007
export function FeedCount({ counts }: { counts: OfferCounts | undefined }) {
  const available = counts && counts.states['in-stock'] + counts.states.auction;
  return (
    <p className="mt-1 text-muted-foreground">
      <strong className="font-semibold text-foreground figures">
        {available?.toLocaleString('en-US') ?? '–'}
      </strong>{' '}
      {copy.count}
      {counts && counts.total !== available && (
        <span className="figures"> · {feedCount.shown(counts.total)}</span>
      )}
    </p>
  );
}
