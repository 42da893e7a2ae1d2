import { describe, expect, it } from 'vitest';
import { activeFilters, everyRequest, type LiveRequestFilter } from './live-request-filter';
import type { RequestFilter } from './request-filter';
import { searchOfLiveRequests, searchOfOwn, searchOfRequests } from './request-search';

const everything: RequestFilter = { search: '', country: '', urgency: 'all' };
const asked = (filter: Partial<RequestFilter>) => searchOfRequests({ ...everything, ...filter });
const askedLive = (filter: Partial<LiveRequestFilter>) =>
  searchOfLiveRequests('', { ...everyRequest, ...filter });

// AGR-002..AGR-004
describe('import requests', () => {
  it('ask for nothing but open ones without a filter', () => expect(asked({})).toEqual({ status: 'active' }));

  it('ask for the countries that a text may mean, by code and by name', () => {
    expect(asked({ search: ' KENYA ' })).toEqual({ status: 'active', q: 'KENYA', place: ['KE', 'Kenya'] });
    expect(asked({ search: 'toyota aq' })).toEqual({ status: 'active', q: 'toyota aq' });
  });

  it('ask for no more countries than the service reads', () => {
    for (const search of ['a', 'an', 'i', 'land', 'x'.repeat(300)]) {
      const { q = '', place = [] } = asked({ search });
      expect(q.length).toBeLessThanOrEqual(100);
      expect(place.length).toBeLessThanOrEqual(60);
    }
  });

  it('are narrowed by country and urgency', () =>
    expect(asked({ country: 'Germany', urgency: 'low' })).toEqual({
      status: 'active',
      country: ['DE', 'Germany'],
      urgency: 'low',
    }));
});

// ARF-002, ARF-016
describe('the live feed of requests', () => {
  it('is narrowed by urgency, make, condition and by what the importer would spend at most', () => {
    const filter = { urgency: 'high', make: 'Toyota', condition: 'New', budget: 'from10kTo20k' } as const;
    expect(askedLive(filter)).toEqual({ status: 'active', ...filter, budget: '10000-20000' });
    expect(askedLive({ budget: 'under10k' }).budget).toBe('-10000');
    expect(askedLive({ budget: 'over20k' }).budget).toBe('20000-');
  });

  it('says how many filters are set', () => {
    expect(activeFilters(everyRequest)).toBe(0);
    expect(activeFilters({ ...everyRequest, make: 'Honda', budget: 'over20k' })).toBe(2);
  });
});

describe('own requests', () => {
  it('ask for all of one importer without a filter', () =>
    expect(searchOfOwn('i1', 'all', 'all')).toEqual({ mine: 'i1' }));

  it.each([
    ['active', 'all', 'active'],
    ['all', 'completed', 'completed'],
    ['pending', 'pending', 'pending'],
    ['active', 'pending', 'none'],
  ] as const)('under the tab %s and the status %s have the status %s', (tab, only, status) =>
    expect(searchOfOwn('i1', tab, only)).toEqual({ mine: 'i1', status }),
  );
});
