/** Questions and what is said about them, told what changes. */
import { useQueryClient } from '@tanstack/react-query';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/use-table-changes';
import { followTickets } from './data/follow-tickets';
import { followTicketMessages } from './data/ticket-query';

export function useLiveTickets(userId: string): void {
  const client = useQueryClient();
  useRowChanges(tableChanges.tickets, `of ${userId}`, (changes) => followTickets(client, userId, changes));
}

export function useLiveTicket(ticketId: string): void {
  const client = useQueryClient();
  useRowChanges(tableChanges.ticketMessages, ticketId, (changes) =>
    followTicketMessages(client, ticketId, changes),
  );
}
