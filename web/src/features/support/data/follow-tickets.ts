/** What a change of a question does to what is shown: it says itself what it changes, and only a gap is read. */
import type { QueryClient } from '@tanstack/react-query';
import type { Pages } from '@/lib/lists/pages';
import { dropRow, noteArrival, noteRight, patchRow, showArrivals } from '@/lib/lists/patches';
import { readBehind } from '@/lib/realtime/readings';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import type { TicketThread } from './ticket-query';
import {
  readOpenAgain,
  readTicketsSince,
  RESOLVED,
  supportKeys,
  ticketListOptions,
  type OpenTicket,
  type Ticket,
} from './tickets-query';

/** More have the lists read again. */
const MOST = 60;

export async function followTickets(
  client: QueryClient,
  userId: string,
  { changed, isGap, heardSince }: RowChanges,
): Promise<void> {
  for (const { kind, row } of changed) {
    if (kind === 'DELETE') dropTicket(client, userId, String(row.id));
    else if (row.user_id === userId) showTicket(client, row as Ticket);
  }
  if (isGap) await readMissedTickets(client, userId, heardSince);
}

/** What the person wrote shows without waiting to be told. */
export async function readMissedTickets(
  client: QueryClient,
  userId: string,
  heardSince = Infinity,
): Promise<void> {
  const list = await readList(client, userId);
  const first = list?.pages[0];
  const newest = first?.rows[0] && newestOf(first.rows);
  if (!newest || first.rightAt >= heardSince) return readAgain(client, userId, heardSince);
  const now = Date.now();
  const rows = await readTicketsSince(userId, newest, MOST).catch(() => null);
  // Not read: the next change, or the line when it is back, asks for it too.
  if (!rows) return;
  if (rows.length > MOST) return readAgain(client, userId, Infinity);
  for (const row of rows.toReversed()) showTicket(client, row);
  noteRight(client, supportKeys.list(userId), now);
}

/** The ticket as it is now, where it stands; one that no list has is the latest. Its text never changes. */
export function showTicket(client: QueryClient, ticket: Ticket): void {
  const { id, status, category, updated_at } = ticket;
  const userId = ticket.user_id ?? '';
  const listKey = supportKeys.list(userId);
  patchRow<Ticket>(client, listKey, id, (row) => ({ ...row, status, category, updated_at }));
  noteArrival(client, listKey, [ticket]);
  showArrivals(client, listKey);
  client.setQueryData<TicketThread>(
    supportKeys.ticket(id),
    (thread) => thread && { ...thread, status, category, updated_at },
  );
  client.setQueryData<OpenTicket[]>(
    supportKeys.open(userId),
    (open) => open && withTicket(open, { id, status, category }),
  );
}

function withTicket(open: readonly OpenTicket[], ticket: OpenTicket): OpenTicket[] {
  const others = open.filter(({ id }) => id !== ticket.id);
  return ticket.status === RESOLVED ? others : [ticket, ...others];
}

function dropTicket(client: QueryClient, userId: string, id: string): void {
  dropRow(client, supportKeys.list(userId), id);
  client.setQueryData<OpenTicket[]>(supportKeys.open(userId), (open) =>
    open?.filter((ticket) => ticket.id !== id),
  );
}

/** Null where nobody looked at the list; it may still be on its way when the channel joins. */
async function readList(client: QueryClient, userId: string): Promise<Pages<Ticket> | null> {
  if (!client.getQueryState(supportKeys.list(userId))) return null;
  try {
    return await client.infiniteQuery({ ...ticketListOptions(userId), staleTime: 'static' });
  } catch {
    return null;
  }
}

function newestOf(rows: readonly Ticket[]): string {
  return rows.reduce((newest, { updated_at: at }) => (at > newest ? at : newest), '');
}

async function readAgain(client: QueryClient, userId: string, heardSince: number): Promise<void> {
  await Promise.all([
    readBehind(client, { queryKey: supportKeys.list(userId) }, heardSince),
    readOpenAgain(client, userId, heardSince),
  ]);
}
