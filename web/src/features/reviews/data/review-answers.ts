/** What the service answers as JSON about reviews. */
import type { Json, Tables as Row } from '@/lib/database.types';
import { countOf, listOf, numberOf, objectOf, textOf } from '@/lib/json-fields';
import { missedOf, type Missed } from '@/lib/lists/follow-list';
import { summaryOf, type ReviewSummary } from '../summary';

interface Person {
  full_name: string | null;
  avatar_url: string | null;
}

/** With whoever stands on the other side of the list; null for somebody who left. */
export interface Review extends Row<'reviews'> {
  reviewer?: Person | null;
  reviewed?: Person | null;
}

export interface ReviewFigures {
  summary: ReviewSummary;
  /** What the reader wrote. */
  own: { id: string; rating: number; comment: string | null } | null;
  /** Whether an accepted invitation connects the reader with the member. */
  isConnected: boolean;
}

export interface ReviewChanges extends Missed<Review> {
  figures: ReviewFigures;
}

export function figuresOf(json: Json | undefined): ReviewFigures {
  const { stars, own, is_connected: isConnected } = objectOf(json);
  const { id, rating, comment } = objectOf(own);
  return {
    summary: summaryOf(listOf(stars).map(countOf)),
    own: typeof id === 'string' ? { id, rating: countOf(rating), comment: textOf(comment) } : null,
    isConnected: isConnected === true,
  };
}

export function changesOf(json: Json): ReviewChanges {
  return { ...missedOf(json, reviewOf), figures: figuresOf(objectOf(json).figures) };
}

function reviewOf(json: Json): Review {
  const row = objectOf(json);
  return {
    id: textOf(row.id) ?? '',
    reviewer_id: textOf(row.reviewer_id),
    reviewed_id: textOf(row.reviewed_id) ?? '',
    rating: numberOf(row.rating) ?? 0,
    comment: textOf(row.comment),
    created_at: textOf(row.created_at) ?? '',
    updated_at: textOf(row.updated_at) ?? '',
    reviewer: personOf(row.reviewer),
    reviewed: personOf(row.reviewed),
  };
}

function personOf(json: Json | undefined): Person | null {
  const person = objectOf(json);
  if (Object.keys(person).length === 0) return null;
  return { full_name: textOf(person.full_name), avatar_url: textOf(person.avatar_url) };
}
