import { describe, expect, it } from 'vitest';
import { carAvailability, filterCars, type CarFilter } from './car-filter';
import type { Post } from './data/posts-query';

const now = new Date('2026-03-04T10:00:00Z');
const everything: CarFilter = { search: '', make: '', availability: 'all', price: 'any' };

function car(overrides: Partial<Post>): Post {
  return {
    id: 'p',
    agent_id: 'a',
    car_name: 'Toyota',
    model: 'Aqua',
    variant: null,
    description: null,
    image_url: null,
    image_urls: null,
    cnf_price: 10_000,
    availability_status: 'available',
    auction_date: null,
    location: null,
    color: null,
    condition: null,
    features: null,
    specifications: null,
    created_at: '2026-03-01T10:00:00Z',
    year: null,
    engine_size: null,
    mileage_km: null,
    transmission: null,
    fuel_type: null,
    drivetrain: null,
    body: null,
    agent: null,
    ...overrides,
  };
}

const found = (posts: Post[], filter: Partial<CarFilter>) =>
  filterCars(posts, { ...everything, ...filter }, now).map(({ model }) => model);

describe('available cars', () => {
  // IMC-010
  it('are in stock, at auction while the auction lies ahead, reserved or sold', () => {
    expect(carAvailability(car({}), now)).toBe('in-stock');
    expect(carAvailability(car({ auction_date: '2026-03-05T00:00:00Z' }), now)).toBe('auction');
    expect(carAvailability(car({ auction_date: '2026-03-03T00:00:00Z' }), now)).toBe('in-stock');
    expect(carAvailability(car({ availability_status: 'pending' }), now)).toBe('reserved');
    expect(
      carAvailability(car({ availability_status: 'sold', auction_date: '2026-03-05T00:00:00Z' }), now),
    ).toBe('sold');
  });

  // IMC-002, IMC-003
  it('are found by make, model and variant, in any case', () => {
    const cars = [car({}), car({ car_name: 'Honda', model: 'Fit', variant: 'RS Hybrid' })];
    expect(found(cars, { search: ' rs hyb ' })).toEqual(['Fit']);
    expect(found(cars, { search: 'toyota aqua' })).toEqual(['Aqua']);
    expect(found(cars, { make: 'Honda' })).toEqual(['Fit']);
  });

  // IMC-005, IMC-012, IMC-014
  it('fall into price ranges whose middle one includes both bounds', () => {
    const cars = [14_999, 15_000, 20_000, 20_001, null].map((price) =>
      car({ cnf_price: price, model: String(price) }),
    );
    expect(found(cars, { price: 'under15k' })).toEqual(['14999']);
    expect(found(cars, { price: 'from15kTo20k' })).toEqual(['15000', '20000']);
    expect(found(cars, { price: 'over20k' })).toEqual(['20001']);
    expect(found(cars, {})).toHaveLength(5);
  });

  // IMC-004
  it('show only what is at auction when asked to', () => {
    const cars = [car({}), car({ model: 'Fit', auction_date: '2026-03-09T00:00:00Z' })];
    expect(found(cars, { availability: 'auction' })).toEqual(['Fit']);
  });
});
