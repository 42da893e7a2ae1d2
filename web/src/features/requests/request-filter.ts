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

interface FilterableRequest {
  car_make: string;
  car_model: string;
  urgency: string;
  importer: { country: string | null } | null;
}

const DOCUMENTED = ['Germany', 'United States', 'Australia', 'Canada'];

export function filterRequests<Request extends FilterableRequest>(
  requests: readonly Request[],
  { search, country, urgency }: RequestFilter,
): Request[] {
  const wanted = search.trim().toLowerCase();
  return requests.filter((request) => {
    const origin = countryOf(request);
    const text = `${request.car_make} ${request.car_model} ${origin}`.toLowerCase();
    return (
      text.includes(wanted) &&
      (country === '' || origin === country) &&
      (urgency === 'all' || request.urgency === urgency)
    );
  });
}

/** The four documented countries, then whatever else the requests come from. */
export function countryChoices(requests: readonly FilterableRequest[]): string[] {
  const others = requests.map(countryOf).filter((name) => name !== '' && !DOCUMENTED.includes(name));
  return [...DOCUMENTED, ...[...new Set(others)].sort()];
}

function countryOf({ importer }: FilterableRequest): string {
  return countryName(importer?.country);
}

/** Tabs and dropdown of My Requests narrow the same list: a request has to pass both. */
export const requestTabs = ['all', 'active', 'pending', 'completed'] as const;
export type RequestTab = (typeof requestTabs)[number];

interface HasStatus {
  status: string;
}

export function withStatus<Request extends HasStatus>(
  requests: readonly Request[],
  ...wanted: RequestTab[]
): Request[] {
  return requests.filter(({ status }) => wanted.every((tab) => tab === 'all' || tab === status));
}
