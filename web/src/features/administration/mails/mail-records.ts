/** Mails that could not be delivered, as the back office lists them. */
import { csvColumns as copy } from '@/copy/back-office-csv';
import { adminMails } from '@/copy/back-office-mails';
import { recordKind } from '@/features/administration/records/record-kind';
import { isoDay } from '@/lib/csv';
import { mailSchema } from './data/mail-row';
import { plainMailError } from './mail-error';

export const mailRecords = recordKind({
  name: 'admin_mails',
  row: mailSchema,
  idOf: (row) => String(row.id),
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
