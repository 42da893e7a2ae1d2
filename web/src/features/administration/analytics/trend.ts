/** The bars of the revenue trend: what they are called, and how high the scale goes. */
import type { Analytics } from './data/analytics-query';

type Trend = Analytics['trend'];
type TrendBar = Trend['bars'][number];

/** The documented end of the monthly scale; a month above it raises it. */
const MONTHLY_SCALE = 300_000;

const utc = (parts: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' });
const day = utc({ day: 'numeric', month: 'short' });
const month = utc({ month: 'long' });
const year = utc({ year: '2-digit' });

function spansYears({ bars }: Trend): boolean {
  return bars.at(0)?.from.slice(0, 4) !== bars.at(-1)?.to.slice(0, 4);
}

/** `'4 Mar'`, `'2 – 8 Mar'`, `'March'` or `'Q1 26'`; with its year when the window spans several. */
export function barName(trend: Trend, { from, to }: TrendBar): string {
  const [first, last] = [new Date(from), new Date(to)];
  switch (trend.step) {
    case 'day':
      return day.format(first);
    case 'week':
      return from === to ? day.format(first) : `${day.format(first)} – ${day.format(last)}`;
    case 'month':
      return spansYears(trend)
        ? `${month.format(first).slice(0, 3)} ${year.format(first)}`
        : month.format(first);
    case 'quarter':
      return `Q${Math.floor(first.getUTCMonth() / 3) + 1} ${year.format(first)}`;
  }
}

/** What an axis has room for. */
export function shortBarName(trend: Trend, bar: TrendBar): string {
  if (trend.step === 'week') return day.format(new Date(bar.from));
  return trend.step === 'month' ? barName(trend, bar).slice(0, 3) : barName(trend, bar);
}

/** Months end at the documented 300,000 or the highest of them; shorter bars get a scale that fits them. */
export function scaleOf({ step, bars }: Trend): number {
  const highest = Math.max(0, ...bars.map((bar) => bar.revenue));
  return step === 'month' ? Math.max(MONTHLY_SCALE, highest) : roundUp(highest);
}

/** `11200` → `12000`: the next figure a person would write on an axis. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];
  return (steps.find((step) => step * power >= value) ?? 10) * power;
}
