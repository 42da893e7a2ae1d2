/** What the person asked the team, the latest word first. */
import { queryOptions } from '@tanstack/react-query';
import { questions } from '@/copy/questions';
import type { Tables as Row } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

export const supportKeys = {
  all: ['support'] as const,
  tickets: (userId: string) => ['support', 'tickets', userId] as const,
  ticket: (ticketId: string) => ['support', 'ticket', ticketId] as const,
};

/** Nobody looks for what was asked a hundred questions ago. */
const MOST = 100;

export type Ticket = Row<'support_tickets'>;

export const APPEAL = 'appeal';

export function openAppealOf(tickets: readonly Ticket[] | undefined): Ticket | undefined {
  return tickets?.find(({ category, status }) => category === APPEAL && status !== 'resolved');
}

export function waitingIn(tickets: readonly Ticket[] | undefined): number {
  return tickets?.filter(({ status }) => status === 'waiting_response').length ?? 0;
}

function selectTickets(userId: string, signal: AbortSignal) {
  return supabase
    .from('support_tickets')
    .select('*')
    .eq('user_id', userId)
    .order('updated_at', { ascending: false })
    .limit(MOST)
    .abortSignal(signal);
}

export function ticketsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: supportKeys.tickets(userId),
    queryFn: async ({ signal }) => unwrap(await selectTickets(userId, signal), questions.failed),
  });
}
