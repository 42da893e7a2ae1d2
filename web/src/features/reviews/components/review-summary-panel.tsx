/** Average, total and recommendation, and a bar per star value. */
import { StarMark, StarRating } from '@/components/star-rating';
import { reviews as copy } from '@/copy/reviews';
import type { ReviewSummary } from '../summary';

export function ReviewSummaryPanel({ summary }: { summary: ReviewSummary }) {
  return (
    <div className="grid gap-px overflow-hidden rounded-card border bg-border md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <dl className="grid grid-cols-2 gap-px bg-border sm:grid-cols-3">
        <Figure label={copy.average} value={summary.average.toFixed(1)} className="col-span-2 sm:col-span-1">
          <StarRating rating={summary.average} />
        </Figure>
        <Figure label={copy.total} value={summary.total.toLocaleString('en-US')}>
          {copy.hints.total}
        </Figure>
        <Figure label={copy.recommendation} value={`${summary.recommendation}%`}>
          {copy.hints.recommendation}
        </Figure>
      </dl>
      <Distribution summary={summary} />
    </div>
  );
}

interface FigureProps {
  label: string;
  value: string;
  className?: string;
  children: React.ReactNode;
}

function Figure({ label, value, className = '', children }: FigureProps) {
  return (
    <div className={`bg-card px-4 py-4 sm:px-5 ${className}`}>
      <dt className="text-label text-muted-foreground">{label}</dt>
      <dd className="mt-1">
        <span className="block font-heading text-[2rem] leading-10 font-[650] figures">{value}</span>
        <span className="block text-small text-balance text-muted-foreground">{children}</span>
      </dd>
    </div>
  );
}

function Distribution({ summary: { distribution, total } }: { summary: ReviewSummary }) {
  return (
    <ul
      aria-label={copy.distribution}
      className="flex flex-col justify-center gap-1 bg-card px-4 py-4 sm:px-5"
    >
      {distribution.map(({ stars, count }) => (
        <li key={stars} className="flex items-center gap-2 text-small figures">
          <span className="sr-only">
            {copy.stars(stars)}: {count.toLocaleString('en-US')}
          </span>
          <span aria-hidden className="w-3 text-right">
            {stars}
          </span>
          <StarMark part={1} className="size-3.5" />
          <span aria-hidden className="h-2 flex-1 overflow-hidden rounded-full bg-muted">
            <span
              className="block h-full bg-chart-2"
              style={{ width: `${total === 0 ? 0 : (100 * count) / total}%` }}
            />
          </span>
          <span aria-hidden className="min-w-6 text-right text-muted-foreground">
            {count.toLocaleString('en-US')}
          </span>
        </li>
      ))}
    </ul>
  );
}
