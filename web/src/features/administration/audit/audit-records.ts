/** The record of what administrators did, the newest first. An entry never changes. */
import { audit } from '@/copy/back-office-audit';
import { recordKind } from '@/features/administration/records/record-kind';
import { auditCsv } from './audit-details';
import { auditSchema } from './data/audit';

export const auditRecords = recordKind({
  name: 'audit',
  row: auditSchema,
  listed: auditSchema,
  idOf: (row) => String(row.id),
  follows: {},
  tabs: audit.tabs,
  orders: ['when'],
  csv: auditCsv,
});
