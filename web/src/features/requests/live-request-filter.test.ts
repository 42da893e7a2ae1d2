import { describe, expect, it } from 'vitest';
import type { ActiveRequest } from './data/active-requests-query';
import {
  activeFilters,
  everyRequest,
  filterLiveRequests,
  type LiveRequestFilter,
} from './live-request-filter';

function request(overrides: Partial<ActiveRequest>): ActiveRequest {
  return {
    id: 'r',
    importer_id: 'i',
    car_make: 'Toyota',
    car_model: 'Aqua',
    year_range: null,
    budget_min: null,
    budget_max: 10_000,
    condition: 'Good',
    fuel_type: null,
    transmission: null,
    description: null,
    urgency: 'high',
    shipping_port: null,
    is_flexible_budget: false,
    is_flexible_year: false,
    status: 'active',
    created_at: '2026-03-04T10:00:00Z',
    updated_at: '2026-03-04T10:00:00Z',
    importer: { full_name: 'Anna', country: 'DE', city: 'Hamburg', avatar_url: null },
    ...overrides,
  };
}

const models = (requests: ActiveRequest[], search: string, filter: Partial<LiveRequestFilter> = {}) =>
  filterLiveRequests(requests, search, { ...everyRequest, ...filter }).map(({ car_model: model }) => model);

// ARF-002, ARF-016
describe('the live feed of requests', () => {
  const all = [
    request({}),
    request({ car_make: 'Honda', car_model: 'Fit', urgency: 'none', condition: 'New', budget_max: 20_001 }),
    request({
      car_model: 'Crown',
      budget_max: null,
      importer: { full_name: 'Li', country: 'AU', city: null, avatar_url: null },
    }),
  ];

  it('is searched by car, country and city', () => {
    expect(models(all, 'hamburg')).toEqual(['Aqua', 'Fit']);
    expect(models(all, ' AUSTRALIA ')).toEqual(['Crown']);
    expect(models(all, 'honda fit')).toEqual(['Fit']);
  });

  it('is filtered by urgency, make, condition and by what the importer would spend at most', () => {
    expect(models(all, '', { urgency: 'high', make: 'Toyota' })).toEqual(['Aqua', 'Crown']);
    expect(models(all, '', { condition: 'New' })).toEqual(['Fit']);
    expect(models(all, '', { budget: 'under10k' })).toEqual(['Aqua']);
    expect(models(all, '', { budget: 'over20k' })).toEqual(['Fit']);
    expect(models(all, '', { budget: 'from10kTo20k' })).toEqual([]);
  });

  it('says how many filters are set', () => {
    expect(activeFilters(everyRequest)).toBe(0);
    expect(activeFilters({ ...everyRequest, make: 'Honda', budget: 'over20k' })).toBe(2);
  });
});
