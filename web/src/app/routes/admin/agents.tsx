import { CountryFlag } from '@/components/country-flag';
import { PageHeading } from '@/components/page-heading';
import { adminAgents as copy, adminList } from '@/copy/back-office';
import { agentRecords } from '@/features/administration/agents/agent-records';
import { AgentDetails, AgentStatus } from '@/features/administration/agents/components/agent-details';
import type { ListedAgent } from '@/features/administration/agents/data/agent-row';
import { OpenedRow } from '@/features/administration/records/components/opened-row';
import { RecordList } from '@/features/administration/records/components/record-list';
import { NameCell } from '@/features/administration/records/components/record-row';
import type { Column } from '@/features/administration/records/components/record-row';
import { useRecordList } from '@/features/administration/records/use-record-list';
import { formatDay } from '@/lib/format';

export default function AdminAgentsScreen() {
  const { listProps, openedProps } = useRecordList(agentRecords);
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <RecordList
        {...listProps}
        caption={copy.title}
        searchLabel={copy.search}
        tabs={copy.tabs}
        columns={COLUMNS}
        nameOf={nameOf}
      />
      <OpenedRow {...openedProps} titleOf={nameOf}>
        {(agent) => <AgentDetails agent={agent} />}
      </OpenedRow>
    </div>
  );
}

const nameOf = (row: ListedAgent) => row.full_name || row.email;

const COLUMNS: readonly Column<ListedAgent>[] = [
  {
    label: copy.columns.agent,
    order: 'agent',
    cell: (row) => <NameCell name={nameOf(row)} company={row.company_name} />,
  },
  {
    label: copy.columns.place,
    order: 'place',
    cell: (row) => (
      <>
        <CountryFlag country={row.country} /> {row.city ?? adminList.none}
      </>
    ),
  },
  {
    label: copy.columns.submitted,
    order: 'submitted',
    cell: (row) => (row.submission ? formatDay(row.submission.submitted_at) : adminList.none),
  },
  { label: copy.columns.documents, cell: documents },
  {
    label: copy.columns.payment,
    order: 'payment',
    cell: (row) => (row.submission ? copy.payment[row.submission.payment_status] : adminList.none),
  },
  {
    label: copy.columns.rating,
    order: 'rating',
    isFigure: true,
    cell: (row) =>
      row.reviews_count > 0 ? `${row.rating.toFixed(1)} (${row.reviews_count})` : adminList.none,
  },
  { label: copy.columns.status, order: 'status', cell: (row) => <AgentStatus status={row.status} /> },
];

function documents({ submission, pending_documents: missing }: ListedAgent): string {
  if (!submission) return copy.neverSubmitted;
  if (missing.length === 0) return copy.documentsComplete;
  return copy.missing(missing.map((name) => copy.documents[name]).join(', '));
}
