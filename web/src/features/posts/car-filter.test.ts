import { describe, expect, it } from 'vitest';
import { carAvailability, filterCars, type CarFilter } from './car-filter';
import type { Post } from './data/posts-query';

const now = new Date('2026-03-04T10:00:00Z');
const everything: CarFilter = {
  search: '',
  make: '',
  tab: 'all',
  price: 'any',
  body: '',
  fuel: '',
  gearbox: '',
  drive: '',
  condition: '',
  colour: '',
};

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
    expect(carAvailability(car({ auction_date: '2026-03-05' }), now)).toBe('auction');
    expect(carAvailability(car({ auction_date: '2026-03-03' }), now)).toBe('in-stock');
    expect(carAvailability(car({ availability_status: 'pending' }), now)).toBe('reserved');
    expect(carAvailability(car({ availability_status: 'sold', auction_date: '2026-03-05' }), now)).toBe(
      'sold',
    );
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
    const cars = [car({}), car({ model: 'Fit', auction_date: '2026-03-09' })];
    expect(found(cars, { tab: 'auction' })).toEqual(['Fit']);
  });

  it('are at auction until the day of it is over in Japan', () => {
    const at = (instant: string) => carAvailability(car({ auction_date: '2026-11-25' }), new Date(instant));
    expect(at('2026-11-25T14:59:00Z')).toBe('auction');
    expect(at('2026-11-25T15:01:00Z')).toBe('in-stock');
  });

  it('are found without those that are sold', () => {
    const cars = [car({}), car({ model: 'Fit', availability_status: 'sold' })];
    expect(found(cars, {})).toEqual(['Aqua']);
  });

  it('are found by what their agents wrote, in whatever words', () => {
    const cars = [
      car({ model: 'A', transmission: 'CVT', fuel_type: 'Hybrid', drivetrain: '4WD', color: 'Pearl white' }),
      car({ model: 'B', transmission: 'A/T', fuel_type: 'petrol', drivetrain: 'FF', color: 'Gunmetal' }),
      car({ model: 'C' }),
    ];
    expect(found(cars, { gearbox: 'cvt' })).toEqual(['A']);
    expect(found(cars, { gearbox: 'automatic' })).toEqual(['B']);
    expect(found(cars, { fuel: 'gasoline' })).toEqual(['B']);
    expect(found(cars, { drive: 'awd' })).toEqual(['A']);
    expect(found(cars, { colour: 'white' })).toEqual(['A']);
    expect(found(cars, { colour: 'grey', fuel: 'gasoline' })).toEqual(['B']);
  });

  it('are found by condition word for word, and by the shape that was named or that the name tells', () => {
    const cars = [
      car({ model: 'A', condition: 'Like New', body: 'suv' }),
      car({ model: 'Hiace', condition: 'new' }),
    ];
    expect(found(cars, { condition: 'New' })).toEqual(['Hiace']);
    expect(found(cars, { body: 'van' })).toEqual(['Hiace']);
    expect(found(cars, { body: 'suv' })).toEqual(['A']);
  });
});
