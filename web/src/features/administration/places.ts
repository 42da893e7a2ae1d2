/** Where the dashboard leads: to lists that show exactly what was counted. */
import { paths } from '@/config/paths';
import { searchOf } from '@/lib/search-params';
import type { AuditRow } from './data/audit-row';
import type { AlertKind } from './data/overview-query';
import {
  agentSearch,
  conversationSearch,
  mailSearch,
  messagesSearch,
  requestSearch,
  ticketSearch,
} from './searches';

const { admin } = paths;
const agents = (status: string) => `${admin.agents}${searchOf(agentSearch, { status })}`;
const requests = (status: string) => `${admin.requests}${searchOf(requestSearch, { status })}`;
const tickets = (status: string) => `${admin.messages}${searchOf(ticketSearch, { status })}`;
const reported = `${admin.messages}${searchOf(
  { ...messagesSearch, ...conversationSearch },
  { view: 'conversations', status: 'reported' },
)}`;

export const alertPlaces: Record<AlertKind, string> = {
  disputed_requests: requests('disputed'),
  disputed_deals: tickets('disputes'),
  reported_conversations: reported,
  escalated_tickets: tickets('escalated'),
  pending_agents: agents('pending'),
  requests_to_approve: requests('pending_approval'),
  undelivered_notifications: admin.mails,
};

/** What an administrator does in a day, one press away. */
export const quickPlaces = {
  verify: agents('pending'),
  payments: agents('payment_pending'),
  requests: requests('pending_approval'),
  assign: requests('pending_agent'),
  tickets: tickets('open'),
  audit: admin.audit,
} as const;

/** The list with the row open that an entry of the record is about; null where it has none, or is gone. */
export function placeOf({ target_type: type, target_id: open, target }: AuditRow): string | null {
  if (target === null || open === null) return null;
  if (type === 'agent') return `${admin.agents}${searchOf(agentSearch, { open })}`;
  if (type === 'request') return `${admin.requests}${searchOf(requestSearch, { open })}`;
  if (type === 'ticket') return `${admin.messages}${searchOf(ticketSearch, { open })}`;
  if (type === 'mail') return `${admin.mails}${searchOf(mailSearch, { open })}`;
  return type === 'setting' ? admin.settings : null;
}
