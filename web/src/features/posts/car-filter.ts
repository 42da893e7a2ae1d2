/** What an importer narrows the cars on offer by. */
import type { Post } from './data/posts-query';

export const carAvailabilities = ['in-stock', 'auction', 'reserved', 'sold'] as const;
export type CarAvailability = (typeof carAvailabilities)[number];

export const carTabs = ['all', 'in-stock', 'auction', 'reserved'] as const;
export type CarTab = (typeof carTabs)[number];

export const priceRanges = ['any', 'under15k', 'from15kTo20k', 'over20k'] as const;
export type PriceRange = (typeof priceRanges)[number];

export const filterMakes = ['Toyota', 'Honda', 'Nissan', 'Mazda', 'Subaru'] as const;

export interface CarFilter {
  search: string;
  /** Empty for all makes. */
  make: '' | (typeof filterMakes)[number];
  availability: CarTab;
  price: PriceRange;
}

const LOWER_USD = 15_000;
const UPPER_USD = 20_000;

type Availability = Pick<Post, 'availability_status' | 'auction_date'>;

/** Posts know available, pending and sold; a coming auction makes an available car one at auction. */
export function carAvailability(
  { availability_status: status, auction_date: auction }: Availability,
  now: Date,
) {
  if (status === 'sold') return 'sold';
  if (status === 'pending') return 'reserved';
  return auction !== null && Date.parse(auction) > now.getTime() ? 'auction' : 'in-stock';
}

export function filterCars(posts: readonly Post[], filter: CarFilter, now: Date): Post[] {
  const wanted = filter.search.trim().toLowerCase();
  return posts.filter(
    (post) =>
      textOf(post).includes(wanted) &&
      (filter.make === '' || post.car_name.toLowerCase() === filter.make.toLowerCase()) &&
      inTab(post, filter.availability, now) &&
      inRange(post.cnf_price, filter.price),
  );
}

export function inTab(post: Availability, tab: CarTab, now: Date): boolean {
  return tab === 'all' || carAvailability(post, now) === tab;
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
