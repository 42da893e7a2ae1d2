/** Who wrote with whom, as the back office lists it, and the screen it shares with the tickets. */
import { adminConversations, adminMessages, adminTickets } from '@/copy/back-office-cases';
import { csvColumns as copy } from '@/copy/back-office-csv';
import { recordKind } from '@/features/administration/records/record-kind';
import { isoDay } from '@/lib/csv';
import { oneOf } from '@/lib/search-params';
import { conversationSchema } from './data/conversation';

export const conversationRecords = recordKind({
  name: 'conversations',
  row: conversationSchema,
  listed: conversationSchema,
  idOf: (row) => row.id,
  follows: { conversation_reports: () => undefined },
  tabs: adminConversations.tabs,
  orders: ['participants', 'messages', 'unread', 'last', 'report'],
  csv: [
    [copy.participant(1), (row) => row.participants[0].full_name ?? adminTickets.unknown],
    [copy.participant(2), (row) => row.participants[1].full_name ?? adminTickets.unknown],
    [adminConversations.columns.messages, (row) => row.messages],
    [adminConversations.columns.unread, (row) => row.unread],
    [copy.firstMessage, (row) => isoDay(row.started_at)],
    [adminConversations.columns.last, (row) => isoDay(row.last_at)],
    [adminConversations.columns.report, (row) => row.report_reason],
  ],
});

type View = keyof typeof adminMessages.tabs;

/** The screen of tickets and conversations; each of its tabs has a list of its own. */
export const messagesSearch = { view: oneOf(Object.keys(adminMessages.tabs) as View[], 'tickets') };
