/** What the person asked the team: a page at a time, the latest word first; and what is not settled yet. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { questions } from '@/copy/questions';
import type { Tables as Row } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { tablePages } from '@/lib/lists/pages';
import { onceJoined } from '@/lib/realtime/read-once-joined';
import { readBehind } from '@/lib/realtime/readings';
import { tableChanges } from '@/lib/realtime/table-changes';
import { supabase } from '@/lib/supabase';

export const supportKeys = {
  all: ['support'] as const,
  open: (userId: string) => ['support', 'open', userId] as const,
  list: (userId: string) => ['support', 'list', userId] as const,
  ticket: (ticketId: string) => ['support', 'ticket', ticketId] as const,
};

const PAGE = 10;
/** Nobody has more that are not settled. */
const MOST_OPEN = 100;

export type Ticket = Row<'support_tickets'>;
export type OpenTicket = Pick<Ticket, 'id' | 'category' | 'status'>;

export const APPEAL = 'appeal';
export const RESOLVED = 'resolved';

export function openAppealOf(tickets: readonly OpenTicket[] | undefined): OpenTicket | undefined {
  return tickets?.find(({ category }) => category === APPEAL);
}

export function waitingIn(tickets: readonly OpenTicket[] | undefined): number {
  return tickets?.filter(({ status }) => status === 'waiting_response').length ?? 0;
}

/** Both are told what changes (`follow-tickets.ts`). */
export function ticketListOptions(userId: string) {
  return {
    ...tablePages<Ticket>({
      queryKey: supportKeys.list(userId),
      size: PAGE,
      fallback: questions.failed,
      by: 'updated_at',
      ask: (signal) => ticketsOf(userId).abortSignal(signal),
    }),
    staleTime: Infinity,
  };
}

export function openTicketsOptions(userId: string) {
  return queryOptions({
    queryKey: supportKeys.open(userId),
    ...onceJoined(tableChanges.tickets, (signal) => readOpen(userId, signal)),
    staleTime: Infinity,
  });
}

async function readOpen(userId: string, signal: AbortSignal): Promise<OpenTicket[]> {
  const answer = await supabase
    .from('support_tickets')
    .select('id,category,status')
    .eq('user_id', userId)
    .neq('status', RESOLVED)
    .order('updated_at', { ascending: false })
    .limit(MOST_OPEN)
    .abortSignal(signal);
  return unwrap(answer, questions.failed);
}

/** What is not settled is small. */
export function readOpenAgain(client: QueryClient, userId: string, heardSince: number): Promise<void> {
  return readBehind(client, { queryKey: supportKeys.open(userId) }, heardSince);
}

/** What changed since, the latest first; one more than is looked after. */
export async function readTicketsSince(userId: string, since: string, limit: number): Promise<Ticket[]> {
  const answer = await ticketsOf(userId)
    .gte('updated_at', since)
    .order('updated_at', { ascending: false })
    .limit(limit + 1);
  return unwrap(answer, questions.failed);
}

function ticketsOf(userId: string) {
  return supabase.from('support_tickets').select('*').eq('user_id', userId);
}
