/** What members ask the team: the list, one ticket with its conversation, and the steps its status allows. */
import { useQuery } from '@tanstack/react-query';
import { adminList } from '@/copy/back-office';
import { adminTickets as copy } from '@/copy/back-office-cases';
import { formatDay } from '@/lib/format';
import { listQueryOptions, type TicketRow } from '../data/lists';
import { useListAsk } from '../use-list-ask';
import { useOpenedRow } from '../use-opened-row';
import { RecordList } from './record-list';
import type { Column } from './record-table';
import { PriorityBadge, TicketStatus } from './status-badges';
import { TicketSheet } from './ticket-sheet';

export function TicketList() {
  const { typed, asked, onAsk } = useListAsk();
  const query = useQuery(listQueryOptions('admin_tickets', asked));
  const { row: ticket, open, close } = useOpenedRow(query, (row) => row.id);
  return (
    <>
      <RecordList
        caption={copy.list}
        query={query}
        ask={typed}
        onAsk={onAsk}
        searchLabel={copy.search}
        tabs={copy.tabs}
        columns={COLUMNS}
        idOf={(row) => row.id}
        nameOf={(row) => row.subject}
        onOpen={open}
      />
      {ticket && <TicketSheet ticket={ticket} onClose={close} />}
    </>
  );
}

const PRIORITIES = ['urgent', 'high', 'medium', 'low'];

const COLUMNS: readonly Column<TicketRow>[] = [
  { label: copy.columns.subject, by: (row) => row.subject, cell: (row) => row.subject },
  {
    label: copy.columns.from,
    by: (row) => row.full_name ?? '',
    cell: (row) => row.full_name ?? copy.unknown,
  },
  {
    label: copy.columns.category,
    by: (row) => row.category,
    cell: (row) => <span className="capitalize">{row.category || adminList.none}</span>,
  },
  {
    label: copy.columns.priority,
    by: (row) => PRIORITIES.indexOf(row.priority),
    cell: (row) => <PriorityBadge priority={row.priority} />,
  },
  { label: copy.columns.opened, by: (row) => row.created_at, cell: (row) => formatDay(row.created_at) },
  {
    label: copy.columns.status,
    by: (row) => row.status,
    cell: (row) => <TicketStatus status={row.status} />,
  },
];
