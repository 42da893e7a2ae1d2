/** A mail that could not be delivered, as the back office lists it. */
import { count, day, name } from '@/features/administration/records/data/list-page';
import { z } from '@/lib/zod';

export const mailSchema = z.object({
  id: count,
  user_id: z.string(),
  full_name: name,
  user_type: name,
  email: name,
  kind: z.string(),
  subject: z.string(),
  status: z.enum(['waiting', 'stopped', 'given_up']),
  created_at: day,
  tried_at: z.nullable(day),
  /** When it is tried next; nothing when it is not. */
  due_at: z.nullable(day),
  attempts: count,
  error: z.string(),
});

export type MailRow = z.infer<typeof mailSchema>;
