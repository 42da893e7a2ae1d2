/** Asking the team, and answering it. The id is made here, so that a second try writes nothing twice. */
import { useQueryClient } from '@tanstack/react-query';
import { support } from '@/copy/support';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { readMissedTickets } from './follow-tickets';
import { readMissedMessages } from './ticket-query';

export interface NewTicket {
  id: string;
  subject: string;
  category: string;
  body: string;
}

const ONCE = { onConflict: 'id', ignoreDuplicates: true };

async function openTicket(userId: string, ticket: NewTicket): Promise<void> {
  const row = { user_id: userId, ...ticket };
  const { error, status } = await supabase.from('support_tickets').upsert(row, ONCE);
  if (error) throw toAppError(error, support.failed, status);
}

export function useOpenTicket(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ticket: NewTicket) => openTicket(userId, ticket),
    onSuccess: () => readMissedTickets(client, userId),
  });
}

export interface NewAnswer {
  id: string;
  body: string;
}

async function answerTicket(userId: string, ticketId: string, answer: NewAnswer): Promise<void> {
  const row = { ticket_id: ticketId, author_id: userId, ...answer };
  const { error, status } = await supabase.from('ticket_messages').upsert(row, ONCE);
  if (error) throw toAppError(error, support.thread.sendFailed, status);
}

export function useAnswerTicket(userId: string, ticketId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (answer: NewAnswer) => answerTicket(userId, ticketId, answer),
    onSuccess: () => readMissedMessages(client, ticketId),
  });
}
