/** What is said about one question, as it is said. */
import { useQueryClient } from '@tanstack/react-query';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';
import { followTicketMessages } from './data/ticket-query';

export function useLiveTicket(ticketId: string): void {
  const client = useQueryClient();
  useRowChanges(tableChanges.ticketMessages, ticketId, (changes) =>
    followTicketMessages(client, ticketId, changes),
  );
}
