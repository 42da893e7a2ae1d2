/** An entry of the record: who did what, to whom, when. */
import { z } from '@/lib/zod';
import { count, day, listPage, name } from './list-page';

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

export const auditPage = z.extend(listPage(auditSchema), {
  administrators: z.array(z.object({ id: z.string(), email: name })),
});

export type AuditRow = z.infer<typeof auditSchema>;
