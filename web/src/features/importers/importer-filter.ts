/** What an agent narrows the importers by, as the address says it, and what that asks the service for. */
import { meantPlaces, spellingsOf } from '@/lib/places';
import { typed } from '@/lib/search-params';

export const importerFilter = { search: typed(), country: typed(), brand: typed() };

export interface ImporterFilter {
  search: string;
  /** An English name; empty for all countries. */
  country: string;
  /** Empty for all brands. */
  brand: string;
}

export const everyImporter: ImporterFilter = { search: '', country: '', brand: '' };

/** As `search_importers` reads it; a key that is missing asks for nothing. */
export interface ImporterSearch {
  readonly q?: string;
  /** Codes and names of the countries the text may mean. */
  readonly place?: readonly string[];
  readonly country?: readonly string[];
  readonly brand?: readonly string[];
}

/** More the service does not read. */
const LONGEST_TEXT = 100;

export function searchOfImporters({ search, country, brand }: ImporterFilter): ImporterSearch {
  const q = search.trim().slice(0, LONGEST_TEXT);
  const place = meantPlaces(q);
  return {
    ...(q !== '' && { q }),
    ...(place.length > 0 && { place }),
    ...(country !== '' && { country: spellingsOf(country) }),
    ...(brand !== '' && { brand: [brand] }),
  };
}
