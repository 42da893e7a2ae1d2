/** One question with everything that was said about it, oldest first. */
import { queryOptions } from '@tanstack/react-query';
import { support } from '@/copy/support';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { supportKeys } from './tickets-query';

function selectTicket(ticketId: string, signal: AbortSignal) {
  return supabase
    .from('support_tickets')
    .select('*, messages:ticket_messages(id,author_id,body,created_at)')
    .eq('id', ticketId)
    .order('created_at', { referencedTable: 'ticket_messages' })
    .abortSignal(signal)
    .single();
}

export type TicketThread = NonNullable<Awaited<ReturnType<typeof selectTicket>>['data']>;

export function ticketQueryOptions(ticketId: string) {
  return queryOptions({
    queryKey: supportKeys.ticket(ticketId),
    queryFn: async ({ signal }) => unwrap(await selectTicket(ticketId, signal), support.thread.failed),
  });
}
