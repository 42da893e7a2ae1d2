/** What the service answers as JSON about requests. */
import type { Json, Tables as Row } from '@/lib/database.types';
import { countOf, listOf, numberOf, objectOf, textOf } from '@/lib/json-fields';

interface RequestImporter {
  full_name: string | null;
  country: string | null;
  city: string | null;
  avatar_url: string | null;
}

/** With the importer who posted it; null where that one is not shown to others. */
export interface FoundRequest extends Omit<Row<'car_requests'>, 'cursor'> {
  importer: RequestImporter | null;
  /** Where the next page begins. */
  cursor: string;
}

export interface RequestCounts {
  /** How many fit. */
  total: number;
  /** Of how many, whatever else is asked for. */
  all: number;
  /** Where these come from, as profiles hold it. */
  countries: string[];
  /** Of the own ones: how many there are of each status, whatever else is asked for. */
  states: Readonly<Record<string, number>>;
}

export interface RequestChanges {
  rows: FoundRequest[];
  /** Of those shown: no longer there, or they fit no longer. */
  gone: string[];
  /** More changed than is told. */
  isMore: boolean;
  counts: RequestCounts;
}

export function changesOf(json: Json): RequestChanges {
  const { rows, gone, is_more: isMore, counts } = objectOf(json);
  return {
    rows: listOf(rows).map(requestOf),
    gone: listOf(gone).filter((id) => typeof id === 'string'),
    isMore: isMore === true,
    counts: countsOf(counts),
  };
}

export function countsOf(json: Json | undefined): RequestCounts {
  const { total, all, countries, states } = objectOf(json);
  return {
    total: countOf(total),
    all: countOf(all),
    countries: listOf(countries).filter((country) => typeof country === 'string'),
    states: Object.fromEntries(Object.entries(objectOf(states)).map(([status, n]) => [status, countOf(n)])),
  };
}

export function importerOf(json: Json | undefined): RequestImporter | null {
  const importer = objectOf(json);
  if (Object.keys(importer).length === 0) return null;
  return {
    full_name: textOf(importer.full_name),
    country: textOf(importer.country),
    city: textOf(importer.city),
    avatar_url: textOf(importer.avatar_url),
  };
}

function requestOf(json: Json): FoundRequest {
  const row = objectOf(json);
  return {
    id: textOf(row.id) ?? '',
    importer_id: textOf(row.importer_id) ?? '',
    car_make: textOf(row.car_make) ?? '',
    car_model: textOf(row.car_model) ?? '',
    year_range: textOf(row.year_range),
    budget_min: numberOf(row.budget_min),
    budget_max: numberOf(row.budget_max),
    condition: textOf(row.condition),
    fuel_type: textOf(row.fuel_type),
    transmission: textOf(row.transmission),
    description: textOf(row.description),
    urgency: textOf(row.urgency) ?? '',
    shipping_port: textOf(row.shipping_port),
    is_flexible_budget: row.is_flexible_budget === true,
    is_flexible_year: row.is_flexible_year === true,
    status: textOf(row.status) ?? '',
    created_at: textOf(row.created_at) ?? '',
    updated_at: textOf(row.updated_at) ?? '',
    importer: importerOf(row.importer),
    cursor: textOf(row.cursor) ?? '',
  };
}
