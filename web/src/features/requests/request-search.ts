/** What lists of requests ask the service for. */
import { meantPlaces, spellingsOf } from '@/lib/places';
import type { BudgetRange, LiveRequestFilter } from './live-request-filter';
import type { RequestFilter, RequestTab } from './request-filter';

/** As `search_requests` reads it; a key that is missing asks for nothing. */
export interface RequestSearch {
  readonly status?: string;
  /** Of this importer alone, who is the one who asks. */
  readonly mine?: string;
  readonly q?: string;
  /** Codes and names of the countries the text may mean. */
  readonly place?: readonly string[];
  readonly country?: readonly string[];
  readonly make?: string;
  readonly condition?: string;
  readonly urgency?: string;
  readonly budget?: string;
}

/** More the service does not read. */
const LONGEST_TEXT = 100;

const budgets: Record<Exclude<BudgetRange, 'any'>, string> = {
  under10k: '-10000',
  from10kTo20k: '10000-20000',
  over20k: '20000-',
};

export function searchOfRequests({ search, country, urgency }: RequestFilter): RequestSearch {
  return {
    status: 'active',
    ...textOf(search),
    ...(country !== '' && { country: spellingsOf(country) }),
    ...(urgency !== 'all' && { urgency }),
  };
}

export function searchOfLiveRequests(search: string, filter: LiveRequestFilter): RequestSearch {
  const { urgency, make, condition, budget } = filter;
  return {
    status: 'active',
    ...textOf(search),
    ...(urgency !== 'all' && { urgency }),
    ...(make !== '' && { make }),
    ...(condition !== '' && { condition }),
    ...(budget !== 'any' && { budget: budgets[budget] }),
  };
}

/** Tab and dropdown narrow the same list: a request has to pass both, and none has two statuses. */
export function searchOfOwn(importerId: string, tab: RequestTab, only: RequestTab): RequestSearch {
  const wanted = [...new Set([tab, only])].filter((status) => status !== 'all');
  if (wanted.length > 1) return { mine: importerId, status: 'none' };
  return { mine: importerId, ...(wanted[0] && { status: wanted[0] }) };
}

function textOf(search: string): Pick<RequestSearch, 'q' | 'place'> {
  const q = search.trim().slice(0, LONGEST_TEXT);
  if (q === '') return {};
  const place = meantPlaces(q);
  return place.length === 0 ? { q } : { q, place };
}
