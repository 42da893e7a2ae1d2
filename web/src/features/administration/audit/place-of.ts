import { paths } from '@/config/paths';
import { agentRecords } from '@/features/administration/agents/agent-records';
import { mailRecords } from '@/features/administration/mails/mail-records';
import { ticketRecords } from '@/features/administration/messages/ticket-records';
import { requestRecords } from '@/features/administration/requests/request-records';
import { searchOf } from '@/lib/search-params';
import type { AuditRow } from './data/audit';

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
