/** An import request with its case, as the back office lists it. */
import { z } from '@/lib/zod';
import { count, day, name } from './list-page';

export const prioritySchema = z.enum(['urgent', 'high', 'medium', 'low']);

export const requestSchema = z.object({
  id: z.string(),
  importer_id: z.string(),
  importer_name: name,
  importer_country: name,
  car_make: z.string(),
  car_model: z.string(),
  year_range: name,
  budget_min: count.nullable(),
  budget_max: count.nullable(),
  shipping_port: name,
  description: name,
  created_at: day,
  status: z.enum(['pending_agent', 'pending_approval', 'in_progress', 'completed', 'disputed', 'cancelled']),
  priority: prioritySchema,
  progress: count,
  assigned_agent_id: name,
  assigned_agent: name,
  dispute_reason: name,
  evidence: z
    .array(z.object({ kind: z.string().catch(''), title: z.string(), path: z.string().optional() }))
    .nullable(),
  notes: z.array(z.object({ at: z.string().catch(''), action: z.string(), text: z.string() })).nullable(),
  invitations: count,
});

export type RequestRow = z.infer<typeof requestSchema>;
