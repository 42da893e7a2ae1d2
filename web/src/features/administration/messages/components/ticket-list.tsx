/** What members ask the team: the list, one ticket with its conversation, and the steps its status allows. */
import { adminList } from '@/copy/back-office';
import { adminTickets as copy } from '@/copy/back-office-cases';
import { OpenedRow } from '@/features/administration/records/components/opened-row';
import { RecordList } from '@/features/administration/records/components/record-list';
import type { Column } from '@/features/administration/records/components/record-row';
import { useRecordList } from '@/features/administration/records/use-record-list';
import { PriorityBadge } from '@/features/administration/requests/components/request-details';
import { formatDay } from '@/lib/format';
import { ticketRecords, type ListedTicket } from '../ticket-records';
import { TicketDetails, TicketStatus } from './ticket-details';

export function TicketList() {
  const { listProps, openedProps } = useRecordList(ticketRecords);
  return (
    <>
      <RecordList
        {...listProps}
        caption={copy.list}
        searchLabel={copy.search}
        tabs={copy.tabs}
        columns={COLUMNS}
        nameOf={subjectOf}
      />
      <OpenedRow {...openedProps} titleOf={subjectOf}>
        {(ticket) => <TicketDetails ticket={ticket} />}
      </OpenedRow>
    </>
  );
}

const subjectOf = (row: ListedTicket) => row.subject;

const COLUMNS: readonly Column<ListedTicket>[] = [
  { label: copy.columns.subject, order: 'subject', cell: (row) => row.subject },
  { label: copy.columns.from, order: 'from', cell: (row) => row.full_name ?? copy.unknown },
  {
    label: copy.columns.category,
    order: 'category',
    cell: (row) => <span className="capitalize">{row.category || adminList.none}</span>,
  },
  {
    label: copy.columns.priority,
    order: 'priority',
    cell: (row) => <PriorityBadge priority={row.priority} />,
  },
  { label: copy.columns.opened, order: 'opened', cell: (row) => formatDay(row.created_at) },
  { label: copy.columns.status, order: 'status', cell: (row) => <TicketStatus status={row.status} /> },
];
