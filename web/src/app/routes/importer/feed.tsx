import { Link } from 'react-router-dom';
import { FeedCount } from '@/widgets/offers/feed-count';
import { OfferFeed, useFeed } from '@/widgets/offers/offer-feed';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { navigation } from '@/copy/navigation';
import { feed as copy, price } from '@/copy/posts';

// FED-007, FED-017, ER2-001
export default function ImporterFeedScreen() {
  const feed = useFeed();
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,45rem)_minmax(0,1fr)]">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 xl:col-span-2">
        <div>
          <PageHeading title={navigation.importer.feed}>{copy.title}</PageHeading>
          <FeedCount counts={feed.counts} />
        </div>
        <Button variant="outline" asChild className="w-full sm:w-auto">
          <Link to={paths.importer.savedCars}>{copy.viewSaved}</Link>
        </Button>
      </header>
      <div className="min-w-0">
        <OfferFeed feed={feed} />
      </div>
      <ReadingNotes />
    </div>
  );
}

/** Beside the feed: how to read an offer. */
function ReadingNotes() {
  return (
    <aside aria-label={copy.notes} className="text-small text-muted-foreground xl:pt-14">
      <dl className="space-y-3 border-t pt-4 xl:border-t-0 xl:border-l xl:pt-0 xl:pl-6">
        <div>
          <dt className="text-label">{price.basis}</dt>
          <dd>{price.help}</dd>
        </div>
        <div>
          <dt className="text-label">{copy.direct}</dt>
          <dd>{app.directDeals}</dd>
        </div>
      </dl>
    </aside>
  );
}
