/** Mails that did not arrive: to whom, about what, how often tried, and why not. */
import { PageHeading } from '@/components/page-heading';
import { adminList } from '@/copy/back-office';
import { adminMails as copy } from '@/copy/back-office-mails';
import { MailDetails, MailStatus } from '@/features/administration/mails/components/mail-details';
import { plainMailError } from '@/features/administration/mails/mail-error';
import { mailRecords, type MailRow } from '@/features/administration/mails/mail-records';
import { OpenedRow } from '@/features/administration/records/components/opened-row';
import { RecordList } from '@/features/administration/records/components/record-list';
import type { Column } from '@/features/administration/records/components/record-row';
import { useRecordList } from '@/features/administration/records/use-record-list';
import { formatDay, formatTime } from '@/lib/format';

export default function AdminMailsScreen() {
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <MailList />
    </div>
  );
}

function MailList() {
  const { listProps, openedProps } = useRecordList(mailRecords);
  return (
    <>
      <RecordList
        {...listProps}
        caption={copy.list}
        searchLabel={copy.search}
        tabs={copy.tabs}
        columns={COLUMNS}
        nameOf={(row) => row.full_name ?? row.email ?? copy.unknown}
      />
      <OpenedRow {...openedProps} titleOf={(mail) => mail.subject}>
        {(mail) => <MailDetails mail={mail} />}
      </OpenedRow>
    </>
  );
}

const COLUMNS: readonly Column<MailRow>[] = [
  { label: copy.columns.to, order: 'to', cell: (row) => row.full_name ?? row.email ?? copy.unknown },
  { label: copy.columns.subject, order: 'subject', cell: (row) => row.subject },
  { label: copy.columns.queued, order: 'queued', cell: (row) => formatDay(row.created_at) },
  {
    label: copy.columns.tried,
    order: 'tried',
    cell: (row) =>
      row.tried_at ? `${formatDay(row.tried_at)}, ${formatTime(row.tried_at)}` : adminList.none,
  },
  { label: copy.columns.attempts, order: 'attempts', cell: (row) => String(row.attempts) },
  { label: copy.columns.error, cell: (row) => plainMailError(row.error) },
  { label: copy.columns.status, order: 'status', cell: (row) => <MailStatus status={row.status} /> },
];
