import type { Body } from '../../dev/types';

export type Rows = readonly Readonly<Record<string, unknown>>[];

/** The rows of an answer, where it is a list of objects. */
export function rowsOf(body: Body | null): Rows | undefined {
  if (!body?.text || body.truncated) return undefined;
  try {
    const parsed: unknown = JSON.parse(body.text);
    const isRow = (row: unknown) => typeof row === 'object' && row !== null && !Array.isArray(row);
    return Array.isArray(parsed) && parsed.every(isRow) ? (parsed as Rows) : undefined;
  } catch {
    return undefined;
  }
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
