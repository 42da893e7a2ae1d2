/** Where the dashboard leads: to lists that show exactly what was counted. */
import { paths } from '@/config/paths';
import { agentRecords } from '@/features/administration/agents/agent-records';
import { conversationRecords, messagesSearch } from '@/features/administration/messages/conversation-records';
import { ticketRecords } from '@/features/administration/messages/ticket-records';
import { requestRecords } from '@/features/administration/requests/request-records';
import { searchOf } from '@/lib/search-params';
import type { AlertKind } from './data/overview-query';

const { admin } = paths;
const agents = (status: string) => `${admin.agents}${searchOf(agentRecords.search, { status })}`;
const requests = (status: string) => `${admin.requests}${searchOf(requestRecords.search, { status })}`;
const tickets = (status: string) => `${admin.messages}${searchOf(ticketRecords.search, { status })}`;
const reported = `${admin.messages}${searchOf(
  { ...messagesSearch, ...conversationRecords.search },
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
