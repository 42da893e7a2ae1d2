/** What lists of requests are narrowed by: the one agents read, and the one of the own. */
import { countryName } from '@/lib/country';

// AGR-002..AGR-004, AGR-008
export const urgencyLevels = ['all', 'high', 'medium', 'low'] as const;
export type UrgencyLevel = (typeof urgencyLevels)[number];

export interface RequestFilter {
  search: string;
  /** An English name; empty for all countries. */
  country: string;
  urgency: UrgencyLevel;
}

const DOCUMENTED = ['Germany', 'United States', 'Australia', 'Canada'];

/** The four documented countries, then whatever else the requests come from. */
export function countryChoices(countries: readonly string[]): string[] {
  const others = countries.map(countryName).filter((name) => name !== '' && !DOCUMENTED.includes(name));
  return [...DOCUMENTED, ...[...new Set(others)].sort()];
}

/** Tabs and dropdown of My Requests narrow the same list: a request has to pass both. */
export const requestTabs = ['all', 'active', 'pending', 'completed'] as const;
export type RequestTab = (typeof requestTabs)[number];
