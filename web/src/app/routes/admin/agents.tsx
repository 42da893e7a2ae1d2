import { useQuery } from '@tanstack/react-query';
import { CountryFlag } from '@/components/country-flag';
import { PageHeading } from '@/components/page-heading';
import { adminAgents as copy, adminList } from '@/copy/back-office';
import { AgentSheet } from '@/features/administration/components/agent-sheet';
import { RecordList } from '@/features/administration/components/record-list';
import type { Column } from '@/features/administration/components/record-table';
import { AgentStatus } from '@/features/administration/components/status-badges';
import { listQueryOptions, type AgentRow } from '@/features/administration/data/lists';
import { useListAsk } from '@/features/administration/use-list-ask';
import { useOpenedRow } from '@/features/administration/use-opened-row';
import { formatDay } from '@/lib/format';

export default function AdminAgentsScreen() {
  const { typed, asked, onAsk } = useListAsk();
  const query = useQuery(listQueryOptions('admin_agents', asked));
  const { row: agent, open, close } = useOpenedRow(query, (row) => row.user_id);
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <RecordList
        caption={copy.title}
        query={query}
        ask={typed}
        onAsk={onAsk}
        searchLabel={copy.search}
        tabs={copy.tabs}
        columns={COLUMNS}
        idOf={(row) => row.user_id}
        nameOf={nameOf}
        onOpen={open}
      />
      {agent && <AgentSheet agent={agent} onClose={close} />}
    </div>
  );
}

const nameOf = (row: AgentRow) => row.full_name ?? row.email;

const COLUMNS: readonly Column<AgentRow>[] = [
  { label: copy.columns.agent, by: nameOf, cell: (row) => <Agent row={row} /> },
  {
    label: copy.columns.place,
    by: (row) => row.city ?? '',
    cell: (row) => (
      <>
        <CountryFlag country={row.country} /> {row.city ?? adminList.none}
      </>
    ),
  },
  {
    label: copy.columns.submitted,
    by: (row) => row.submission?.submitted_at ?? '',
    cell: (row) => (row.submission ? formatDay(row.submission.submitted_at) : adminList.none),
  },
  { label: copy.columns.documents, cell: documents },
  {
    label: copy.columns.payment,
    cell: (row) => (row.submission ? copy.payment[row.submission.payment_status] : adminList.none),
  },
  {
    label: copy.columns.rating,
    isFigure: true,
    by: (row) => row.rating,
    cell: (row) =>
      row.reviews_count > 0 ? `${row.rating.toFixed(1)} (${row.reviews_count})` : adminList.none,
  },
  { label: copy.columns.status, by: (row) => row.status, cell: (row) => <AgentStatus status={row.status} /> },
];

function Agent({ row }: { row: AgentRow }) {
  return (
    <>
      {nameOf(row)}
      {row.company_name && (
        <span className="block text-small font-normal text-muted-foreground">{row.company_name}</span>
      )}
    </>
  );
}

function documents({ submission, pending_documents: missing }: AgentRow): string {
  if (!submission) return copy.neverSubmitted;
  if (missing.length === 0) return copy.documentsComplete;
  return copy.missing(missing.map((name) => copy.documents[name]).join(', '));
}
