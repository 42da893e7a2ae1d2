/** What the service answers as JSON about invitations, read field by field. */
import type { Json, Tables as Row } from '@/lib/database.types';
import { countOf, numberOf, objectOf, textOf } from '@/lib/json-fields';
import { missedOf, type Missed } from '@/lib/lists/follow-list';

interface Agent {
  full_name: string | null;
  country: string | null;
  company_name: string | null;
  avatar_url: string | null;
}

interface Importer extends Agent {
  city: string | null;
  budget_range: string | null;
  interested_car_brands: string[] | null;
}

interface Request {
  id: string;
  car_make: string;
  car_model: string;
  year_range: string | null;
  budget_min: number | null;
  budget_max: number | null;
  status: string;
}

/** With both sides, the request it is about, and the deal it opened. */
export interface Invitation extends Omit<Row<'invitations'>, 'is_running'> {
  agent: Agent;
  importer: Importer;
  request: Request | null;
}

export interface InvitationCounts {
  total: number;
  sent: number;
  accepted: number;
  declined: number;
  /** Deals whose importer left, with the invitation. */
  departed: number;
}

export interface InvitationChanges extends Missed<Invitation> {
  counts: InvitationCounts;
}

export function changesOf(json: Json): InvitationChanges {
  return { ...missedOf(json, invitationOf), counts: countsOf(objectOf(json).counts) };
}

export function countsOf(json: Json | undefined): InvitationCounts {
  const { total, sent, accepted, declined, departed } = objectOf(json);
  return {
    total: countOf(total),
    sent: countOf(sent),
    accepted: countOf(accepted),
    declined: countOf(declined),
    departed: countOf(departed),
  };
}

function invitationOf(json: Json): Invitation {
  const row = objectOf(json);
  return {
    id: textOf(row.id) ?? '',
    agent_id: textOf(row.agent_id) ?? '',
    importer_id: textOf(row.importer_id) ?? '',
    request_id: textOf(row.request_id),
    message: textOf(row.message),
    response_message: textOf(row.response_message),
    status: textOf(row.status) ?? '',
    is_assigned: row.is_assigned === true,
    created_at: textOf(row.created_at) ?? '',
    responded_at: textOf(row.responded_at),
    updated_at: textOf(row.updated_at) ?? '',
    deal_state: row.deal_state ?? null,
    agent: agentOf(row.agent),
    importer: importerOf(row.importer),
    request: requestOf(row.request),
  };
}

function agentOf(json: Json | undefined): Agent {
  const agent = objectOf(json);
  return {
    full_name: textOf(agent.full_name),
    country: textOf(agent.country),
    company_name: textOf(agent.company_name),
    avatar_url: textOf(agent.avatar_url),
  };
}

function importerOf(json: Json | undefined): Importer {
  const { city, budget_range, interested_car_brands: brands } = objectOf(json);
  return {
    ...agentOf(json),
    city: textOf(city),
    budget_range: textOf(budget_range),
    interested_car_brands: Array.isArray(brands) ? brands.flatMap((brand) => textOf(brand) ?? []) : null,
  };
}

function requestOf(json: Json | undefined): Request | null {
  const { id, car_make, car_model, year_range, budget_min, budget_max, status } = objectOf(json);
  if (typeof id !== 'string') return null;
  return {
    id,
    car_make: textOf(car_make) ?? '',
    car_model: textOf(car_model) ?? '',
    year_range: textOf(year_range),
    budget_min: numberOf(budget_min),
    budget_max: numberOf(budget_max),
    status: textOf(status) ?? '',
  };
}
