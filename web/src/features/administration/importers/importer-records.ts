/** The importers, as the back office lists them. */
import { adminImporters } from '@/copy/back-office';
import { csvColumns as copy } from '@/copy/back-office-csv';
import { memberCsv, memberSchema } from '@/features/administration/members/data/member';
import { count, name } from '@/features/administration/records/data/answers';
import { recordKind } from '@/features/administration/records/record-kind';
import { isoDay } from '@/lib/csv';
import { z } from '@/lib/zod';

const importerSchema = z.extend(memberSchema, {
  last_sign_in_at: name,
  status: z.enum(['active', 'inactive', 'suspended']),
  account_type: z.enum(['standard', 'business', 'premium']),
  requests: count,
  completed: count,
  success_rate: count,
  spent: count,
});

export type ImporterRow = z.infer<typeof importerSchema>;

export const importerRecords = recordKind({
  name: 'importers',
  row: importerSchema,
  listed: importerSchema,
  idOf: (row) => row.user_id,
  follows: { car_requests: (row) => row.importer_id },
  tabs: adminImporters.tabs,
  orders: ['importer', 'place', 'account', 'requests', 'success', 'spent', 'status'],
  csv: [
    ...memberCsv,
    [adminImporters.columns.status, (row) => adminImporters.status[row.status]],
    [adminImporters.columns.account, (row) => adminImporters.accountType[row.account_type]],
    [adminImporters.columns.requests, (row) => row.requests],
    [copy.completed, (row) => row.completed],
    [copy.success, (row) => row.success_rate],
    [copy.spent, (row) => row.spent],
    [adminImporters.sheet.lastSeen, (row) => isoDay(row.last_sign_in_at)],
  ],
});
