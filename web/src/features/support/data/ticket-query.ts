/** One question with everything that was said about it, oldest first. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { support } from '@/copy/support';
import { unwrap } from '@/lib/errors';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import { supabase } from '@/lib/supabase';
import { showTicket } from './follow-tickets';
import { supportKeys } from './tickets-query';

function selectTicket(ticketId: string) {
  return supabase
    .from('support_tickets')
    .select('*, messages:ticket_messages(id,author_id,body,created_at)')
    .eq('id', ticketId)
    .order('created_at', { referencedTable: 'ticket_messages' });
}

export type TicketThread = NonNullable<Awaited<ReturnType<typeof selectTicket>>['data']>[number];
type TicketMessage = TicketThread['messages'][number];

/** It is told what changes. */
export function ticketQueryOptions(ticketId: string) {
  return queryOptions({
    queryKey: supportKeys.ticket(ticketId),
    queryFn: async ({ signal }): Promise<TicketThread> =>
      unwrap(await selectTicket(ticketId).abortSignal(signal).single(), support.thread.failed),
    staleTime: Infinity,
  });
}

/** What was said is put where it stands; after a gap what was missed is read. */
export async function followTicketMessages(
  client: QueryClient,
  ticketId: string,
  { changed, isGap }: RowChanges,
): Promise<void> {
  const said = changed.filter(({ kind, row }) => kind === 'INSERT' && row.ticket_id === ticketId);
  showMessages(
    client,
    ticketId,
    said.map(({ row }) => messageOf(row as unknown as TicketMessage)),
  );
  if (isGap) await readMissedMessages(client, ticketId);
}

/** What was said since the last word that is known, and where the question stands. */
export async function readMissedMessages(client: QueryClient, ticketId: string): Promise<void> {
  const thread = await client
    .query({ ...ticketQueryOptions(ticketId), staleTime: 'static' })
    .catch(() => undefined);
  if (!thread) return;
  const since = thread.messages.at(-1)?.created_at ?? thread.created_at;
  const { data } = await selectTicket(ticketId)
    .gte('messages.created_at', since)
    .then(
      (answer) => answer,
      () => ({ data: null }),
    );
  const now = data?.[0];
  if (!now) return;
  showMessages(client, ticketId, now.messages);
  showTicket(client, now);
}

function messageOf({ id, author_id, body, created_at }: TicketMessage): TicketMessage {
  return { id, author_id, body, created_at };
}

function showMessages(client: QueryClient, ticketId: string, messages: readonly TicketMessage[]): void {
  client.setQueryData<TicketThread>(supportKeys.ticket(ticketId), (thread) => {
    const known = new Set(thread?.messages.map(({ id }) => id));
    const added = messages.filter(({ id }) => !known.has(id));
    return thread && added.length > 0 ? { ...thread, messages: [...thread.messages, ...added] } : thread;
  });
}
