/** Long lists grow on request: a page at first, as much again at each press, so that the last row is never far. */
import { useState } from 'react';

export interface GrowingList<Item> {
  shown: Item[];
  hasMore: boolean;
  showMore: () => void;
}

// CO2-009, CO2-013
export function useGrowingList<Item>(items: readonly Item[], page: number): GrowingList<Item> {
  const [limit, setLimit] = useState(page);
  return {
    shown: items.slice(0, limit),
    hasMore: items.length > limit,
    showMore: () => setLimit((current) => current * 2),
  };
}
