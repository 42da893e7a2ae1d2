/** Beside the feed: how to read an offer. */
import { app } from '@/copy/app';
import { feed as copy, price } from '@/copy/posts';

export function ReadingNotes() {
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
