/** A page of a list as the server answers it; checked where it comes in, so a changed function fails here and not in a cell. */
import { z } from '@/lib/zod';

export const count = z.number();
export const day = z.string();
export const name = z.nullable(z.string());

export function listPage<Row extends z.ZodMiniType>(row: Row) {
  return z.object({
    total: count,
    counts: z.optional(z.record(z.string(), count)),
    rows: z.array(row),
    /** What the next page begins after; nothing when this is the last. */
    next: z.nullable(z.string()),
  });
}

export interface ListPage<Row> {
  total: number;
  counts?: Record<string, number> | undefined;
  rows: Row[];
  next: string | null;
}
