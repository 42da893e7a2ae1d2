/** The person's questions, told what changes. */
import { useQueryClient } from '@tanstack/react-query';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';
import { readOpenAgain, supportKeys } from './data/tickets-query';

export function useLiveTickets(userId: string): void {
  const client = useQueryClient();
  useRowChanges(tableChanges.tickets, `of ${userId}`, async (changes) => {
    // A line that was lost and found again asks for no code: on most pages there is no list.
    if (!changes.changed.length && !client.getQueryState(supportKeys.list(userId)))
      return readOpenAgain(client, userId, changes.heardSince);
    try {
      // Every page listens, few hear of anything: what follows comes with the first change.
      const { followTickets } = await import('./data/follow-tickets');
      await followTickets(client, userId, changes);
    } catch {
      await client.invalidateQueries({ queryKey: supportKeys.all });
    }
  });
}
