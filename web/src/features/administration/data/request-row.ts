/** An import request with its case, as the back office lists it. */
import { z } from '@/lib/zod';
import { pieceSchema } from './evidence';
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
  budget_min: z.nullable(count),
  budget_max: z.nullable(count),
  shipping_port: name,
  description: name,
  created_at: day,
  status: z.enum(['pending_agent', 'pending_approval', 'in_progress', 'completed', 'disputed', 'cancelled']),
  priority: prioritySchema,
  progress: count,
  assigned_agent_id: name,
  assigned_agent: name,
  dispute_reason: name,
  evidence: z.nullable(z.array(pieceSchema)),
  notes: z.nullable(z.array(z.object({ at: z.catch(z.string(), ''), action: z.string(), text: z.string() }))),
  invitations: count,
});

export type RequestRow = z.infer<typeof requestSchema>;
