import { audit as copy } from '@/copy/back-office-audit';
import { actionOf, detailsOf, targetOf } from './audit-details';
import type { CsvColumn } from './csv-columns';
import type { AuditRow } from './data/audit-row';

export const auditCsv: readonly CsvColumn<AuditRow>[] = [
  [copy.columns.when, (row) => row.created_at],
  [copy.columns.who, (row) => row.administrator ?? copy.unknown],
  [copy.columns.what, actionOf],
  [copy.columns.target, targetOf],
  [
    copy.columns.details,
    (row) =>
      detailsOf(row)
        .map(([name, value]) => `${name}: ${value}`)
        .join('; '),
  ],
];
