/** What a function answers, checked where it comes in: a changed function is told by name in the log, not met in a cell. */
import { ServiceError, unwrap } from '@/lib/errors';
import type { z } from '@/lib/zod';

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
