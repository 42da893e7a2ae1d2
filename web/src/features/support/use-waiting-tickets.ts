/** How many questions wait for the person's answer, as they come; none for nobody. */
import { useQuery } from '@tanstack/react-query';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';
import { supportKeys } from './data/keys';
import { ticketsQueryOptions, waitingIn } from './data/tickets-query';

export function useWaitingTickets(userId: string | undefined): number {
  useTableChanges(tableChanges.tickets, supportKeys.all);
  const { data } = useQuery({ ...ticketsQueryOptions(userId ?? ''), enabled: userId !== undefined });
  return waitingIn(data);
}
