/** What an agent narrows the live feed of requests by. */
import type { UrgencyLevel } from './request-filter';

export const budgetRanges = ['any', 'under10k', 'from10kTo20k', 'over20k'] as const;
export type BudgetRange = (typeof budgetRanges)[number];

export interface LiveRequestFilter {
  urgency: UrgencyLevel;
  /** Empty for any. */
  make: string;
  /** Empty for any. */
  condition: string;
  budget: BudgetRange;
}

export const everyRequest: LiveRequestFilter = { urgency: 'all', make: '', condition: '', budget: 'any' };

export function activeFilters(filter: LiveRequestFilter): number {
  return [
    filter.urgency !== 'all',
    filter.make !== '',
    filter.condition !== '',
    filter.budget !== 'any',
  ].filter(Boolean).length;
}
