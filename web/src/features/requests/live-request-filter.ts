/** What an agent narrows the live feed of requests by. */
import { countryName } from '@/lib/country';
import type { ActiveRequest } from './data/active-requests-query';
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

const LOWER_USD = 10_000;
const UPPER_USD = 20_000;

export function activeFilters(filter: LiveRequestFilter): number {
  return [
    filter.urgency !== 'all',
    filter.make !== '',
    filter.condition !== '',
    filter.budget !== 'any',
  ].filter(Boolean).length;
}

export function filterLiveRequests(
  requests: readonly ActiveRequest[],
  search: string,
  { urgency, make, condition, budget }: LiveRequestFilter,
): ActiveRequest[] {
  const wanted = search.trim().toLowerCase();
  return requests.filter(
    (request) =>
      textOf(request).includes(wanted) &&
      (urgency === 'all' || request.urgency === urgency) &&
      (make === '' || request.car_make === make) &&
      (condition === '' || request.condition === condition) &&
      inRange(request.budget_max, budget),
  );
}

function textOf({ car_make: make, car_model: model, importer }: ActiveRequest): string {
  return [make, model, importer.city, countryName(importer.country)].join(' ').toLowerCase();
}

/** What the importer would spend at most decides. */
function inRange(most: number | null, range: BudgetRange): boolean {
  if (range === 'any') return true;
  if (most === null) return false;
  if (range === 'under10k') return most <= LOWER_USD;
  return range === 'over20k' ? most > UPPER_USD : most > LOWER_USD && most <= UPPER_USD;
}
