/** What the service answers as JSON about offers, read field by field: what is missing or odd is null. */
import type { Json } from '@/lib/database.types';
import { countOf, numberOf, objectOf, textOf } from '@/lib/json-fields';
import { missedOf, type Missed } from '@/lib/lists/follow-list';
import type { CarAvailability } from '../availability';
import type { PostAgent, PostCard } from './posts-query';

export interface OfferCounts {
  total: number;
  /** Each, whatever the search says of states. */
  states: Record<CarAvailability, number>;
  /** What was searched for in place of a mistyped text. */
  readAs: string | null;
}

export interface Offer extends PostCard {
  is_saved: boolean;
  is_followed: boolean;
  /** Where the next page begins; nowhere of an offer that did not come in a page. */
  cursor: string;
}

export interface ChangedOffer {
  offer: Offer;
  /** Whether the search still finds it. */
  fits: boolean;
}

export interface OfferChanges extends Missed<ChangedOffer> {
  counts: OfferCounts;
}

export function changesOf(json: Json): OfferChanges {
  return { ...missedOf(json, rowOf), counts: countsOf(objectOf(json).counts) };
}

export function countsOf(json: Json | undefined): OfferCounts {
  const { total, states, read_as: readAs } = objectOf(json);
  const counted = objectOf(states);
  return {
    total: countOf(total),
    states: {
      'in-stock': countOf(counted['in-stock']),
      auction: countOf(counted.auction),
      reserved: countOf(counted.reserved),
      sold: countOf(counted.sold),
    },
    readAs: textOf(readAs),
  };
}

/** Null for one who has not confirmed the address. */
export function agentOf(json: Json | undefined): PostAgent | null {
  const agent = objectOf(json);
  if (Object.keys(agent).length === 0) return null;
  return {
    full_name: textOf(agent.full_name),
    country: textOf(agent.country),
    company_name: textOf(agent.company_name),
    avatar_url: textOf(agent.avatar_url),
    verification_status: textOf(agent.verification_status) ?? '',
    verified_at: textOf(agent.verified_at),
  };
}

function rowOf(json: Json): ChangedOffer {
  const row = objectOf(json);
  return { offer: offerOf(row), fits: row.fits === true };
}

function offerOf(row: Partial<Record<string, Json>>): Offer {
  return {
    id: textOf(row.id) ?? '',
    agent_id: textOf(row.agent_id) ?? '',
    car_name: textOf(row.car_name) ?? '',
    model: textOf(row.model) ?? '',
    variant: textOf(row.variant),
    year: numberOf(row.year),
    mileage_km: numberOf(row.mileage_km),
    engine_size: textOf(row.engine_size),
    transmission: textOf(row.transmission),
    fuel_type: textOf(row.fuel_type),
    drivetrain: textOf(row.drivetrain),
    color: textOf(row.color),
    location: textOf(row.location),
    condition: textOf(row.condition),
    body: textOf(row.body),
    description: textOf(row.description),
    image_url: textOf(row.image_url),
    cnf_price: numberOf(row.cnf_price),
    availability_status: textOf(row.availability_status) ?? '',
    auction_date: textOf(row.auction_date),
    created_at: textOf(row.created_at) ?? '',
    agent: agentOf(row.agent),
    is_saved: row.is_saved === true,
    is_followed: row.is_followed === true,
    cursor: '',
  };
}
