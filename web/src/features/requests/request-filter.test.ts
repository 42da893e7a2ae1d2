import { describe, expect, it } from 'vitest';
import { countryChoices, filterRequests, type RequestFilter } from './request-filter';

const request = (make: string, model: string, country: string, urgency: string) => ({
  car_make: make,
  car_model: model,
  urgency,
  importer: { country },
});
const requests = [request('Toyota', 'Aqua', 'DE', 'high'), request('Honda', 'Fit', 'KE', 'none')];
const everything: RequestFilter = { search: '', country: '', urgency: 'all' };
const found = (filter: Partial<RequestFilter>) =>
  filterRequests(requests, { ...everything, ...filter }).map(({ car_model: model }) => model);

describe('import requests', () => {
  it('are all shown without a filter', () => expect(found({})).toEqual(['Aqua', 'Fit']));
  it('are found by car and by country', () => {
    expect(found({ search: 'toyota aq' })).toEqual(['Aqua']);
    expect(found({ search: 'kenya' })).toEqual(['Fit']);
  });
  it('are narrowed by country and urgency', () => {
    expect(found({ country: 'Germany' })).toEqual(['Aqua']);
    expect(found({ urgency: 'low' })).toEqual([]);
  });
  it('offer the documented countries first and the others found after them', () =>
    expect(countryChoices(requests)).toEqual(['Germany', 'United States', 'Australia', 'Canada', 'Kenya']));
});
