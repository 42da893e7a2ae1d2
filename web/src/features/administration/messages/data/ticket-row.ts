/** A support ticket with its conversation, as the back office lists it. */
import { day, name } from '@/features/administration/records/data/list-page';
import { pieceSchema } from '@/features/administration/requests/data/request-row';
import { prioritySchema } from '@/features/administration/requests/data/request-row';
import { z } from '@/lib/zod';

export const ticketSchema = z.object({
  id: z.string(),
  full_name: name,
  user_type: name,
  subject: z.string(),
  body: z.string(),
  category: z.string(),
  priority: prioritySchema,
  tags: z.array(z.string()),
  status: z.enum(['open', 'in_progress', 'waiting_response', 'escalated', 'resolved']),
  assigned_to: name,
  created_at: day,
  updated_at: day,
  /** What was handed in, where the ticket carries a dispute. */
  evidence: z.optional(z.array(pieceSchema)),
  messages: z.array(z.object({ body: z.string(), created_at: day, from_member: z.nullable(z.boolean()) })),
});

export type TicketRow = z.infer<typeof ticketSchema>;
