/** An entry of the record: who did what, to whom, when. */
import { count, day, name } from '@/features/administration/records/data/answers';
import { z } from '@/lib/zod';

export const auditSchema = z.object({
  id: count,
  created_at: day,
  admin_id: name,
  administrator: name,
  action: z.string(),
  target_type: z.string(),
  target_id: name,
  target: name,
  details: z.record(z.string(), z.unknown()),
});

export type AuditRow = z.infer<typeof auditSchema>;
