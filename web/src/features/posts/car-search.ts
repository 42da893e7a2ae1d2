/** What an importer narrows the cars on offer by. */
import { flag, oneOf, opened, typed, type SearchValues } from '@/lib/search-params';
import { bodyCodes, facetNames, offerChoices } from './offer-choices';
import type { OfferSearch } from './offer-search';

/** What is sold is in none of them. */
export const carTabs = ['all', 'in-stock', 'auction', 'reserved'] as const;
export type CarTab = (typeof carTabs)[number];

export const priceRanges = ['any', 'under15k', 'from15kTo20k', 'over20k'] as const;
export type PriceRange = (typeof priceRanges)[number];

const prices: Record<Exclude<PriceRange, 'any'>, string> = {
  under15k: '-14999.99',
  from15kTo20k: '15000-20000',
  over20k: '20000.01-',
};

export const filterMakes = ['Toyota', 'Honda', 'Nissan', 'Mazda', 'Subaru'] as const;

/** The address of the cars on offer: their filters, empty for all, and the car that is open. */
export const carSearch = {
  search: typed(),
  exact: flag(),
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

// IMC-002..IMC-005, IMC-014
export function searchOfCars({ search, exact, tab, price, ...filter }: CarFilter): OfferSearch {
  const asked = FACTS.map((fact) => [fact, filter[fact]] as const).filter(([, value]) => value !== '');
  const q = search.trim().slice(0, MOST_TEXT);
  return {
    ...Object.fromEntries(asked),
    ...(q && { q }),
    ...(q && exact && { exact: '1' }),
    ...(price !== 'any' && { price: prices[price] }),
    ...(tab !== 'all' && { status: tab }),
  };
}

const FACTS = ['make', 'body', 'fuel', 'gearbox', 'drive', 'condition', 'colour'] as const;

/** What the service reads of a text. */
const MOST_TEXT = 100;
