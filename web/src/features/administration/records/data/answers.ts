/** What a function answers, checked where it comes in: a changed function is told by name in the log, not met in a cell. */
import { ServiceError, unwrap } from '@/lib/errors';
import { z } from '@/lib/zod';

/** The most the server gives at once: what an export is read in. */
export const LONG_PAGE = 1000;

interface Answer {
  data: unknown;
  error: unknown;
  status?: number;
}

export function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  answer: Answer,
  failed: string,
): z.infer<Schema> {
  const { success, data, error } = schema.safeParse(unwrap(answer, failed));
  if (success) return data;
  throw new ServiceError(failed, undefined, { cause: error });
}

export const count = z.number();
export const day = z.string();
export const name = z.nullable(z.string());

/** A page of a list as the server answers it. */
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
