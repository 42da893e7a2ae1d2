/** What members ask the team, with its conversation, as the back office lists it. */
import { adminTickets, priorities } from '@/copy/back-office-cases';
import { csvColumns as copy } from '@/copy/back-office-csv';
import { day, name } from '@/features/administration/records/data/answers';
import { recordKind } from '@/features/administration/records/record-kind';
import { pieceSchema, prioritySchema } from '@/features/administration/requests/data/request-row';
import { isoDay } from '@/lib/csv';
import { z } from '@/lib/zod';

const ticketSchema = z.object({
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

/** As a list shows it. */
const listedTicketSchema = z.omit(ticketSchema, { body: true, evidence: true, messages: true });

export type TicketRow = z.infer<typeof ticketSchema>;
export type ListedTicket = z.infer<typeof listedTicketSchema>;

export const ticketRecords = recordKind({
  name: 'tickets',
  row: ticketSchema,
  listed: listedTicketSchema,
  idOf: (row) => row.id,
  follows: { support_tickets: (row) => row.id },
  tabs: adminTickets.tabs,
  orders: ['subject', 'from', 'category', 'priority', 'opened', 'status'],
  csv: [
    [adminTickets.columns.subject, (row) => row.subject],
    [adminTickets.columns.from, (row) => row.full_name ?? adminTickets.unknown],
    [adminTickets.columns.category, (row) => row.category],
    [adminTickets.columns.priority, (row) => priorities[row.priority]],
    [adminTickets.columns.opened, (row) => isoDay(row.created_at)],
    [adminTickets.columns.status, (row) => adminTickets.status[row.status]],
    [adminTickets.tags, (row) => row.tags.join(', ')],
    [copy.answers, (row) => row.messages.length],
  ],
});
