/** Mails that could not be delivered, as the back office lists them. */
import { csvColumns as copy } from '@/copy/back-office-csv';
import { adminMails } from '@/copy/back-office-mails';
import { count, day, name } from '@/features/administration/records/data/answers';
import { recordKind } from '@/features/administration/records/record-kind';
import { isoDay } from '@/lib/csv';
import { z } from '@/lib/zod';
import { plainMailError } from './mail-error';

const mailSchema = z.object({
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

export const mailRecords = recordKind({
  name: 'mails',
  row: mailSchema,
  listed: mailSchema,
  idOf: (row) => String(row.id),
  follows: {},
  tabs: adminMails.tabs,
  orders: ['to', 'subject', 'queued', 'tried', 'attempts', 'status'],
  csv: [
    [adminMails.columns.to, (row) => row.full_name],
    [copy.email, (row) => row.email],
    [adminMails.columns.subject, (row) => row.subject],
    [adminMails.columns.queued, (row) => isoDay(row.created_at)],
    [adminMails.columns.tried, (row) => isoDay(row.tried_at)],
    [adminMails.columns.attempts, (row) => row.attempts],
    [adminMails.columns.error, (row) => plainMailError(row.error)],
    [adminMails.columns.status, (row) => adminMails.status[row.status]],
  ],
});
