/** What an agent narrows the importers by. */
import { countryName } from '@/lib/country';
import type { Tables as Row } from '@/lib/database.types';

export type Importer = Row<'profiles'>;

export interface ImporterFilter {
  search: string;
  /** An English name; empty for all countries. */
  country: string;
  /** Empty for all brands. */
  brand: string;
}

export const everyImporter: ImporterFilter = { search: '', country: '', brand: '' };

export function filterImporters(importers: readonly Importer[], filter: ImporterFilter): Importer[] {
  const wanted = filter.search.trim().toLowerCase();
  return importers.filter(
    (importer) =>
      textOf(importer).includes(wanted) &&
      (filter.country === '' || countryName(importer.country) === filter.country) &&
      (filter.brand === '' || (importer.interested_car_brands ?? []).includes(filter.brand)),
  );
}

function textOf(importer: Importer): string {
  const { full_name: name, company_name: company, country, interested_car_brands: brands } = importer;
  return [name, company, countryName(country), ...(brands ?? [])].filter(Boolean).join(' ').toLowerCase();
}

/** Every value that occurs, once, in order. */
export function choicesOf(values: readonly string[]): string[] {
  return [...new Set(values.filter(Boolean))].sort((a, b) => a.localeCompare(b));
}
