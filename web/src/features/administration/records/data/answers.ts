/** What a function answers, checked where it comes in: a changed function is told by name in the log, not met in a cell. */
import { ServiceError, unwrap } from '@/lib/errors';
import { z } from '@/lib/zod';

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

/** What a list tells beside its rows. */
const told = {
  total: count,
  counts: z.optional(z.record(z.string(), count)),
  /** Who acted at all; only the record says so. */
  administrators: z.optional(z.array(z.object({ id: z.string(), email: name }))),
};

/** A page of a list as the server answers it. */
export function listPage<Row extends z.ZodMiniType>(row: Row) {
  return z.object({
    ...told,
    rows: z.array(row),
    /** What the next page begins after; nothing when this is the last. */
    next: z.nullable(z.string()),
  });
}

/** What a list missed. */
export function listChanges<Row extends z.ZodMiniType>(row: Row) {
  return z.object({ ...told, rows: z.array(row), gone: z.array(z.string()), is_more: z.boolean() });
}

export interface Told {
  total: number;
  counts?: Record<string, number> | undefined;
  administrators?: { id: string; email: string | null }[] | undefined;
}

export interface ListPage<Row> extends Told {
  rows: Row[];
  next: string | null;
}

export interface ListChanges<Row> extends Told {
  rows: Row[];
  /** Of the rows that are shown, those that are gone or fit no longer. */
  gone: string[];
  /** More than is told: the list is read again. */
  is_more: boolean;
}
