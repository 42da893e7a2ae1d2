/** The figures above a list of reviews. */
export interface ReviewSummary {
  /** 0 without reviews. */
  average: number;
  total: number;
  /** Share of reviews with four stars or more, in percent; 100 without reviews. */
  recommendation: number;
  /** How many reviews gave five, four, three, two and one star. */
  distribution: readonly { stars: number; count: number }[];
}

const STARS = [5, 4, 3, 2, 1] as const;
const GOOD = 4;

/** `counts`: how many reviews gave one star, two, and so on. */
export function summaryOf(counts: readonly number[]): ReviewSummary {
  const distribution = STARS.map((stars) => ({ stars, count: counts[stars - 1] ?? 0 }));
  const total = distribution.reduce((sum, { count }) => sum + count, 0);
  const sum = distribution.reduce((soFar, { stars, count }) => soFar + stars * count, 0);
  const good = distribution.reduce((soFar, { stars, count }) => soFar + (stars >= GOOD ? count : 0), 0);
  return {
    average: total === 0 ? 0 : sum / total,
    total,
    recommendation: total === 0 ? 100 : Math.round((100 * good) / total),
    distribution,
  };
}
