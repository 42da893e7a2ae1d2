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

export function summaryOf(reviews: readonly { rating: number }[]): ReviewSummary {
  const total = reviews.length;
  const sum = reviews.reduce((soFar, { rating }) => soFar + rating, 0);
  const good = reviews.filter(({ rating }) => rating >= GOOD).length;
  return {
    average: total === 0 ? 0 : sum / total,
    total,
    recommendation: total === 0 ? 100 : Math.round((100 * good) / total),
    distribution: STARS.map((stars) => ({
      stars,
      count: reviews.filter(({ rating }) => rating === stars).length,
    })),
  };
}
