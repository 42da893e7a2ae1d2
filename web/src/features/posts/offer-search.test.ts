import { describe, expect, it } from 'vitest';
import { carSearch, searchOfCars, type CarFilter } from './car-search';
import { searchOfFeed } from './feed-search';

/** The filters as an address says them. */
function filterOf(address: string): CarFilter {
  const params = new URLSearchParams(address);
  const values = Object.entries(carSearch).map(([name, { read }]) => [name, read(params.get(name))]);
  return Object.fromEntries(values) as CarFilter;
}

describe('the cars on offer', () => {
  it.each([
    ['', {}],
    // IMC-002, IMC-003, IMC-004
    ['search=+rs+hyb+&make=Honda&tab=auction', { q: 'rs hyb', make: 'Honda', status: 'auction' }],
    ['fuel=hybrid&gearbox=cvt&condition=Like+New', { fuel: 'hybrid', gearbox: 'cvt', condition: 'Like New' }],
    // IMC-005, IMC-012, IMC-014: the middle one includes both bounds
    ['price=under15k', { price: '-14999.99' }],
    ['price=from15kTo20k', { price: '15000-20000' }],
    ['price=over20k', { price: '20000.01-' }],
    ['search=toyoat&exact=1', { q: 'toyoat', exact: '1' }],
    ['exact=1', {}],
    ['make=Tesla&tab=sold&price=free&colour=plaid&page=7', {}],
    [`search=${'x'.repeat(300)}`, { q: 'x'.repeat(100) }],
  ])('are asked for as the address says: %s', (address, search) => {
    expect(searchOfCars(filterOf(address))).toEqual(search);
  });
});

it('A feed shows sold offers too, but for those that can be had', () => {
  const any = 'in-stock,auction,reserved,sold';
  expect(searchOfFeed('all')).toEqual({ status: any });
  expect(searchOfFeed('followed')).toEqual({ status: any, followed: '1' });
  expect(searchOfFeed('under15k')).toEqual({ status: any, price: '-14999.99' });
  expect(searchOfFeed('available')).toEqual({ status: 'in-stock,auction' });
});
