/** What the service answers as JSON, read field by field: what is missing or odd is null, nothing or 0. */
import type { Json } from '@/lib/database.types';

export function objectOf(json: Json | undefined): Partial<Record<string, Json>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
}

export function listOf(json: Json | undefined): Json[] {
  return Array.isArray(json) ? json : [];
}

export function textOf(json: Json | undefined): string | null {
  return typeof json === 'string' ? json : null;
}

export function numberOf(json: Json | undefined): number | null {
  return typeof json === 'number' ? json : null;
}

export function countOf(json: Json | undefined): number {
  return numberOf(json) ?? 0;
}
