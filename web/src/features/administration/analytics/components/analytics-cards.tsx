/** The six cards. Each says what its figure means at the press of its question mark. */
import { ArrowDown, ArrowUp, CircleHelp } from 'lucide-react';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { analytics as copy } from '@/copy/back-office-figures';
import { formatPrice } from '@/lib/format';
import type { Analytics } from '../data/analytics-query';
import { formatGrowth } from '../report';

type Summary = Analytics['summary'];
type Card = keyof typeof copy.cards;

const FIGURES: Record<Card, (summary: Summary) => string> = {
  total_revenue: (s) => formatPrice(s.total_revenue),
  active_users: (s) => s.active_users.toLocaleString('en-US'),
  avg_transaction_value: (s) => formatPrice(s.avg_transaction_value),
  transaction_volume: (s) => s.transaction_volume.toLocaleString('en-US'),
  conversion_rate: (s) => `${s.conversion_rate}%`,
  global_reach: (s) => s.global_reach.toLocaleString('en-US'),
};
const GROWTHS: Partial<Record<Card, (summary: Summary) => number | null>> = {
  total_revenue: (s) => s.total_revenue_growth,
  avg_transaction_value: (s) => s.avg_transaction_value_growth,
  transaction_volume: (s) => s.transaction_volume_growth,
};
const HINTS: Partial<Record<Card, string>> = copy.hints;

export function AnalyticsCards({ summary }: { summary: Summary }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border bg-border lg:grid-cols-3">
      {(Object.keys(copy.cards) as Card[]).map((card) => (
        <div key={card} className="min-w-0 bg-card px-4 py-4 sm:px-5">
          <dt className="flex items-center justify-between gap-2 text-label text-muted-foreground">
            {copy.cards[card]}
            <Meaning label={copy.cards[card]} text={copy.meaning[card]} />
          </dt>
          <dd>
            <span className="block font-heading text-[1.625rem] leading-10 font-[650] figures sm:text-[2rem]">
              {FIGURES[card](summary)}
            </span>
            <span className="flex flex-wrap items-center gap-x-2 text-small text-muted-foreground">
              {GROWTHS[card] && <Growth growth={GROWTHS[card](summary)} />}
              {HINTS[card] ?? copy.hints.growth}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Meaning({ label, text }: { label: string; text: string }) {
  return (
    <Popover>
      <PopoverTrigger
        aria-label={copy.explain(label)}
        className="touch-target -m-2 grid size-9 shrink-0 place-items-center rounded-control hover:bg-muted"
      >
        <CircleHelp aria-hidden className="size-4" />
      </PopoverTrigger>
      <PopoverContent aria-label={copy.explain(label)}>{text}</PopoverContent>
    </Popover>
  );
}

/** Green and up, red and down; the sign and a hidden word say it too. */
export function Growth({ growth }: { growth: number | null }) {
  if (growth === null) {
    return (
      <span className="figures">
        <span aria-hidden>{copy.noGrowth}</span>
        <span className="sr-only">{copy.noGrowthMeaning}</span>
      </span>
    );
  }
  if (growth === 0) return <span className="figures">{formatGrowth(growth)}</span>;
  const isUp = growth > 0;
  const Arrow = isUp ? ArrowUp : ArrowDown;
  return (
    <span
      className={`inline-flex items-center gap-0.5 font-semibold figures ${isUp ? 'text-success' : 'text-destructive'}`}
    >
      <Arrow aria-hidden className="size-3.5" />
      <span className="sr-only">{isUp ? copy.up : copy.down} </span>
      {formatGrowth(growth)}
    </span>
  );
}
