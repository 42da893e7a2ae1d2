/** What each list of the back office writes into a file: every row that matches, with plain numbers and ISO days. */
import { adminAgents, adminImporters } from '@/copy/back-office';
import { adminConversations, adminRequests, adminTickets, priorities } from '@/copy/back-office-cases';
import { csvColumns as copy } from '@/copy/back-office-csv';
import { adminMails } from '@/copy/back-office-mails';
import { countryName } from '@/lib/country';
import { csvText, type CsvCell } from '@/lib/csv';
import type { AgentRow } from './data/agent-row';
import type { ConversationRow } from './data/conversation-row';
import type { ImporterRow } from './data/importer-row';
import type { MailRow } from './data/mail-row';
import type { RequestRow } from './data/request-row';
import type { TicketRow } from './data/ticket-row';
import { plainMailError } from './mail-error';

export type CsvColumn<Row> = readonly [label: string, value: (row: Row) => CsvCell];

export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const head = columns.map(([label]) => label);
  return csvText([head, ...rows.map((row) => columns.map(([, value]) => value(row)))]);
}

/** `'2026-03-04T…'` → `'2026-03-04'`. */
export const isoDay = (moment: string | null | undefined): string | null => moment?.slice(0, 10) ?? null;

const member: readonly CsvColumn<AgentRow | ImporterRow>[] = [
  [copy.name, (row) => row.full_name],
  [copy.company, (row) => row.company_name],
  [copy.email, (row) => row.email],
  [copy.phone, (row) => row.phone],
  [copy.city, (row) => row.city],
  [copy.country, (row) => countryName(row.country)],
  [copy.joined, (row) => isoDay(row.created_at)],
];

export const agentCsv: readonly CsvColumn<AgentRow>[] = [
  ...member,
  [adminAgents.columns.status, (row) => adminAgents.status[row.status]],
  [adminAgents.columns.submitted, (row) => isoDay(row.submission?.submitted_at)],
  [copy.missing, (row) => row.pending_documents.map((name) => adminAgents.documents[name]).join(', ')],
  [
    adminAgents.columns.payment,
    (row) => row.submission && adminAgents.payment[row.submission.payment_status],
  ],
  [copy.fee, (row) => row.submission?.amount_pkr ?? null],
  [adminAgents.columns.rating, (row) => (row.reviews_count > 0 ? row.rating : null)],
  [copy.reviews, (row) => row.reviews_count],
];

export const importerCsv: readonly CsvColumn<ImporterRow>[] = [
  ...member,
  [adminImporters.columns.status, (row) => adminImporters.status[row.status]],
  [adminImporters.columns.account, (row) => adminImporters.accountType[row.account_type]],
  [adminImporters.columns.requests, (row) => row.requests],
  [copy.completed, (row) => row.completed],
  [copy.success, (row) => row.success_rate],
  [copy.spent, (row) => row.spent],
  [adminImporters.sheet.lastSeen, (row) => isoDay(row.last_sign_in_at)],
];

export const requestCsv: readonly CsvColumn<RequestRow>[] = [
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
];

export const ticketCsv: readonly CsvColumn<TicketRow>[] = [
  [adminTickets.columns.subject, (row) => row.subject],
  [adminTickets.columns.from, (row) => row.full_name ?? adminTickets.unknown],
  [adminTickets.columns.category, (row) => row.category],
  [adminTickets.columns.priority, (row) => priorities[row.priority]],
  [adminTickets.columns.opened, (row) => isoDay(row.created_at)],
  [adminTickets.columns.status, (row) => adminTickets.status[row.status]],
  [adminTickets.tags, (row) => row.tags.join(', ')],
  [copy.answers, (row) => row.messages.length],
];

export const mailCsv: readonly CsvColumn<MailRow>[] = [
  [adminMails.columns.to, (row) => row.full_name],
  [copy.email, (row) => row.email],
  [adminMails.columns.subject, (row) => row.subject],
  [adminMails.columns.queued, (row) => isoDay(row.created_at)],
  [adminMails.columns.tried, (row) => isoDay(row.tried_at)],
  [adminMails.columns.attempts, (row) => row.attempts],
  [adminMails.columns.error, (row) => plainMailError(row.error)],
  [adminMails.columns.status, (row) => adminMails.status[row.status]],
];

export const conversationCsv: readonly CsvColumn<ConversationRow>[] = [
  [copy.participant(1), (row) => row.participants[0].full_name ?? adminTickets.unknown],
  [copy.participant(2), (row) => row.participants[1].full_name ?? adminTickets.unknown],
  [adminConversations.columns.messages, (row) => row.messages],
  [adminConversations.columns.unread, (row) => row.unread],
  [copy.firstMessage, (row) => isoDay(row.started_at)],
  [adminConversations.columns.last, (row) => isoDay(row.last_at)],
  [adminConversations.columns.report, (row) => row.report_reason],
];
