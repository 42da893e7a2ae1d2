/** The import requests, as the back office lists them. */
import { adminList } from '@/copy/back-office';
import { adminRequests, priorities } from '@/copy/back-office-cases';
import { csvColumns as copy } from '@/copy/back-office-csv';
import { recordKind } from '@/features/administration/records/record-kind';
import { countryName } from '@/lib/country';
import { isoDay } from '@/lib/csv';
import { formatPrice } from '@/lib/format';
import { listedRequestSchema, requestSchema } from './data/request-row';

export const requestRecords = recordKind({
  name: 'requests',
  row: requestSchema,
  listed: listedRequestSchema,
  idOf: (row) => row.id,
  follows: { car_requests: (row) => row.id, request_cases: (row) => row.request_id },
  tabs: adminRequests.tabs,
  orders: ['car', 'importer', 'posted', 'budget', 'agent', 'priority', 'progress', 'status'],
  csv: [
    [copy.make, (row) => row.car_make],
    [copy.model, (row) => row.car_model],
    [adminRequests.columns.importer, (row) => row.importer_name],
    [copy.country, (row) => countryName(row.importer_country)],
    [adminRequests.columns.posted, (row) => isoDay(row.created_at)],
    [copy.budgetMin, (row) => row.budget_min],
    [copy.budgetMax, (row) => row.budget_max],
    [adminRequests.columns.agent, (row) => row.assigned_agent],
    [adminRequests.columns.priority, (row) => priorities[row.priority]],
    [copy.progress, (row) => row.progress],
    [adminRequests.columns.status, (row) => adminRequests.status[row.status]],
    [adminRequests.sheet.invitations, (row) => row.invitations],
  ],
});

interface Budget {
  budget_min: number | null;
  budget_max: number | null;
}

/** `'$20,000 – $30,000'`, short `'$20k – 30k'`; one bound alone, or a gap. */
export function budgetOf({ budget_min: min, budget_max: max }: Budget, length: 'full' | 'short' = 'full') {
  const bounds = [min, max].filter((bound) => bound !== null);
  if (bounds.length === 0) return adminList.none;
  return length === 'full' ? bounds.map(formatPrice).join(' – ') : `$${bounds.map(thousands).join(' – ')}`;
}

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const thousands = (amount: number) => short.format(amount).replace('K', 'k');
