/** Which days the analytics look at, and what their address keeps. */
import { oneOf, typed } from '@/lib/search-params';
import type { Days } from './data/analytics-query';

export const analyticsSearch = {
  view: oneOf(['overview', 'geographic', 'categories', 'performers'], 'overview'),
  from: typed(),
  to: typed(),
};

const DAY = 24 * 60 * 60 * 1000;

/** The window of `count` days that ends today, as ISO days in UTC. */
export function lastDays(count: number, now: Date): Days {
  const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { from: iso(now.getTime() - (count - 1) * DAY), to: iso(now.getTime()) };
}
