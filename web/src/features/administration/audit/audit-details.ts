/** What an entry of the record says besides: the note, the decision, from what to what. */
import { paths } from '@/config/paths';
import { audit as copy } from '@/copy/back-office-audit';
import { activity } from '@/copy/back-office-figures';
import { agentRecords } from '@/features/administration/agents/agent-records';
import { mailRecords } from '@/features/administration/mails/mail-records';
import { ticketRecords } from '@/features/administration/messages/ticket-records';
import { requestRecords } from '@/features/administration/requests/request-records';
import type { CsvColumn } from '@/lib/csv';
import { searchOf } from '@/lib/search-params';
import type { AuditRow } from './data/audit';

export const actionOf = (row: AuditRow): string => activity[row.action] ?? words(row.action);

/** `'agent_id'` → `'agent id'`. */
const words = (name: string): string => name.replaceAll('_', ' ');

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? copy.on : copy.off;
  return typeof value === 'string' ? words(value) : JSON.stringify(value);
}

/** The ids in an entry are for the links, not for reading. */
const isId = (name: string): boolean => name.endsWith('_id') || name === 'submission' || name === 'path';

export function detailsOf({ details }: AuditRow): [name: string, value: string][] {
  return Object.entries(details)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .filter(([name, value]) => !isId(name) && value !== null && value !== '')
    .map(([name, value]) => [words(name), FREE.includes(name) ? String(value) : textOf(value)]);
}

/** `from` before `to`; the rest as it came. */
const rankOf = (name: string): number => ['from', 'to'].indexOf(name);

/** What the entry is about, by its name; a setting by what the settings call it. */
export function targetOf({ target, target_type: type }: AuditRow): string {
  if (target === null) return copy.gone;
  return type === 'setting' ? (copy.settings[target] ?? target) : target;
}

/** What a person wrote stays as it was written. */
const FREE = ['note', 'reason', 'text', 'reference'];

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

const { admin } = paths;

/** The list with the row open that an entry of the record is about; null where it has none, or is gone. */
export function placeOf({ target_type: type, target_id: open, target }: AuditRow): string | null {
  if (target === null || open === null) return null;
  if (type === 'agent') return `${admin.agents}${searchOf(agentRecords.search, { open })}`;
  if (type === 'request') return `${admin.requests}${searchOf(requestRecords.search, { open })}`;
  if (type === 'ticket') return `${admin.messages}${searchOf(ticketRecords.search, { open })}`;
  if (type === 'mail') return `${admin.mails}${searchOf(mailRecords.search, { open })}`;
  return type === 'setting' ? admin.settings : null;
}
