/** What the service answers as JSON about requests. */
import type { Json, Tables as Row } from '@/lib/database.types';
import { countOf, listOf, numberOf, objectOf, textOf } from '@/lib/json-fields';
import { missedOf, type Missed } from '@/lib/lists/follow-list';

interface RequestImporter {
  full_name: string | null;
  country: string | null;
  city: string | null;
  avatar_url: string | null;
}

/** What was asked for, without what the service says beside it. */
export type RequestFacts = Omit<Row<'car_requests'>, 'cursor' | 'responses' | 'own_invitation'>;

/** How the reader's invitation because of a request stands. */
export interface OwnInvitation {
  status: string;
  created_at: string;
}

/** With the importer who posted it; null where that one is not shown to others. */
export interface FoundRequest extends RequestFacts {
  importer: RequestImporter | null;
  /** How many invitations about it the reader may see: of the own requests all. */
  responses: number;
  own_invitation: OwnInvitation | null;
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

export interface RequestChanges extends Missed<FoundRequest> {
  counts: RequestCounts;
}

export function changesOf(json: Json): RequestChanges {
  return { ...missedOf(json, requestOf), counts: countsOf(objectOf(json).counts) };
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

export function ownInvitationOf(json: Json | undefined): OwnInvitation | null {
  const { status, created_at } = objectOf(json);
  return typeof status === 'string' ? { status, created_at: textOf(created_at) ?? '' } : null;
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
    responses: countOf(row.responses),
    own_invitation: ownInvitationOf(row.own_invitation),
    cursor: textOf(row.cursor) ?? '',
  };
}
