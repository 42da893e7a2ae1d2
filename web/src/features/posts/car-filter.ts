/** What an importer narrows the cars on offer by. */
import { knownBodyOf } from '@/components/car-drawing/body-of';
import { oneOf, opened, typed, type SearchValues } from '@/lib/search-params';
import type { Post } from './data/posts-query';
import { bodyCodes, facetNames, meansChoice, offerChoices, plain, type FacetName } from './offer-choices';

export const carAvailabilities = ['in-stock', 'auction', 'reserved', 'sold'] as const;
export type CarAvailability = (typeof carAvailabilities)[number];

/** What is sold is in none of them. */
export const carTabs = ['all', 'in-stock', 'auction', 'reserved'] as const;
export type CarTab = (typeof carTabs)[number];

export const priceRanges = ['any', 'under15k', 'from15kTo20k', 'over20k'] as const;
export type PriceRange = (typeof priceRanges)[number];

export const filterMakes = ['Toyota', 'Honda', 'Nissan', 'Mazda', 'Subaru'] as const;

/** The address of the screen: its filters, empty for all, and the car that is open. */
export const carSearch = {
  search: typed(),
  make: oneOf(['', ...filterMakes], ''),
  tab: oneOf(carTabs, 'all'),
  price: oneOf(priceRanges, 'any', 'replace'),
  body: oneOf(['', ...bodyCodes], ''),
  fuel: oneOf(['', ...facetNames.fuel], ''),
  gearbox: oneOf(['', ...facetNames.gearbox], ''),
  drive: oneOf(['', ...facetNames.drive], ''),
  condition: oneOf(['', ...offerChoices.condition], ''),
  colour: oneOf(['', ...facetNames.colour], ''),
  car: opened(),
} as const;

export type CarFilter = Omit<SearchValues<typeof carSearch>, 'car'>;

const LOWER_USD = 15_000;
const UPPER_USD = 20_000;

type Availability = Pick<Post, 'availability_status' | 'auction_date'>;

/** Posts know available, pending and sold; an auction makes an available car one at auction until its day is over. */
export function carAvailability(
  { availability_status: status, auction_date: auction }: Availability,
  now: Date,
) {
  if (status === 'sold') return 'sold';
  if (status === 'pending') return 'reserved';
  return auction !== null && auction.slice(0, 10) >= dayInJapan(now) ? 'auction' : 'in-stock';
}

const japan = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' });

/** Auctions are held in Japan: `'2026-11-25'`. */
function dayInJapan(now: Date): string {
  return japan.format(now);
}

export function filterCars(posts: readonly Post[], filter: CarFilter, now: Date): Post[] {
  const wanted = filter.search.trim().toLowerCase();
  return posts.filter(
    (post) =>
      textOf(post).includes(wanted) &&
      (filter.make === '' || post.car_name.toLowerCase() === filter.make.toLowerCase()) &&
      inTab(post, filter.tab, now) &&
      inRange(post.cnf_price, filter.price) &&
      (filter.body === '' || bodyOfPost(post) === filter.body) &&
      (filter.condition === '' || plain(post.condition) === plain(filter.condition)) &&
      facets.every((facet) => filter[facet] === '' || meansChoice(post, facet, filter[facet])),
  );
}

const facets: readonly FacetName[] = ['fuel', 'gearbox', 'drive', 'colour'];

/** The shape the agent named, or the one its name tells. */
function bodyOfPost({ body, car_name: make, model }: Post): string | null {
  return body ?? knownBodyOf(make, model);
}

export function inTab(post: Availability, tab: CarTab, now: Date): boolean {
  const availability = carAvailability(post, now);
  return tab === 'all' ? availability !== 'sold' : availability === tab;
}

function textOf({ car_name: make, model, variant }: Post): string {
  return [make, model, variant].filter(Boolean).join(' ').toLowerCase();
}

/** A car without a price is in no range but the open one. */
function inRange(price: number | null, range: PriceRange): boolean {
  if (range === 'any') return true;
  if (price === null) return false;
  if (range === 'under15k') return price < LOWER_USD;
  return range === 'over20k' ? price > UPPER_USD : price >= LOWER_USD && price <= UPPER_USD;
}
