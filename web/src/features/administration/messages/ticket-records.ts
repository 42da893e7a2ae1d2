/** What members ask the team, as the back office lists it. */
import { adminTickets, priorities } from '@/copy/back-office-cases';
import { csvColumns as copy } from '@/copy/back-office-csv';
import { recordKind } from '@/features/administration/records/record-kind';
import { isoDay } from '@/lib/csv';
import { ticketSchema } from './data/ticket-row';

export const ticketRecords = recordKind({
  name: 'admin_tickets',
  row: ticketSchema,
  idOf: (row) => row.id,
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
