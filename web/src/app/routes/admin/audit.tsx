/** The record: who did what about whom and when, with everything an entry holds in a sheet. */
import { PageHeading } from '@/components/page-heading';
import { audit as copy } from '@/copy/back-office-audit';
import { actionOf, detailsOf, targetOf } from '@/features/administration/audit/audit-details';
import { AuditFilters } from '@/features/administration/audit/components/audit-filters';
import { AuditDetails } from '@/features/administration/audit/components/audit-details';
import type { AuditRow } from '@/features/administration/audit/data/audit';
import { useAuditList } from '@/features/administration/audit/use-audit-list';
import { OpenedRow } from '@/features/administration/records/components/opened-row';
import { RecordList } from '@/features/administration/records/components/record-list';
import type { Column } from '@/features/administration/records/components/record-row';
import { formatDay, formatTime } from '@/lib/format';

export default function AdminAuditScreen() {
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <AuditList />
    </div>
  );
}

function AuditList() {
  const { listProps, openedProps, state, change, administrators } = useAuditList();
  return (
    <>
      <RecordList
        {...listProps}
        caption={copy.title}
        searchLabel={copy.search}
        tabs={copy.tabs}
        columns={COLUMNS}
        nameOf={(row) => `${actionOf(row)} ${row.target ?? ''}`.trim()}
        filters={<AuditFilters state={state} onChange={change} administrators={administrators} />}
      />
      <OpenedRow {...openedProps} titleOf={() => copy.entry}>
        {(row) => <AuditDetails entry={row} />}
      </OpenedRow>
    </>
  );
}

/** Where there is no room for an address, it breaks before its @. */
function Address({ text }: { text: string }) {
  const at = text.indexOf('@');
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
}

const COLUMNS: readonly Column<AuditRow>[] = [
  {
    label: copy.columns.when,
    order: 'when',
    cell: (row) => `${formatDay(row.created_at)}, ${formatTime(row.created_at)}`,
  },
  { label: copy.columns.who, cell: ({ administrator }) => <Address text={administrator ?? copy.unknown} /> },
  { label: copy.columns.what, cell: actionOf },
  { label: copy.columns.target, cell: targetOf },
  {
    label: copy.columns.details,
    cell: (row) => (
      <span className="text-muted-foreground">
        {detailsOf(row)
          .map(([, value]) => value)
          .join(' · ')}
      </span>
    ),
  },
];
