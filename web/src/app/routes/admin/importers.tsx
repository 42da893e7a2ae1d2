import { useQuery } from '@tanstack/react-query';
import { CountryFlag } from '@/components/country-flag';
import { PageHeading } from '@/components/page-heading';
import { Progress } from '@/components/ui/progress';
import { adminImporters as copy, adminList } from '@/copy/back-office';
import { ImporterSheet } from '@/features/administration/components/importer-sheet';
import { RecordList } from '@/features/administration/components/record-list';
import type { Column } from '@/features/administration/components/record-table';
import { ImporterStatus } from '@/features/administration/components/status-badges';
import { listQueryOptions, type ImporterRow } from '@/features/administration/data/lists';
import { useListAsk } from '@/features/administration/use-list-ask';
import { useOpenedRow } from '@/features/administration/use-opened-row';
import { formatPrice } from '@/lib/format';

export default function AdminImportersScreen() {
  const { typed, asked, onAsk } = useListAsk();
  const query = useQuery(listQueryOptions('admin_importers', asked));
  const { row: importer, open, close } = useOpenedRow(query, (row) => row.user_id);
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
      {importer && <ImporterSheet importer={importer} onClose={close} />}
    </div>
  );
}

const nameOf = (row: ImporterRow) => row.full_name ?? row.email;

const COLUMNS: readonly Column<ImporterRow>[] = [
  {
    label: copy.columns.importer,
    by: nameOf,
    cell: (row) => (
      <>
        {nameOf(row)}
        {row.company_name && (
          <span className="block text-small font-normal text-muted-foreground">{row.company_name}</span>
        )}
      </>
    ),
  },
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
    label: copy.columns.account,
    by: (row) => row.account_type,
    cell: (row) => copy.accountType[row.account_type],
  },
  { label: copy.columns.requests, isFigure: true, by: (row) => row.requests, cell: (row) => row.requests },
  {
    label: copy.columns.success,
    by: (row) => row.success_rate,
    cell: (row) => <SuccessRate row={row} />,
  },
  {
    label: copy.columns.spent,
    isFigure: true,
    by: (row) => row.spent,
    cell: (row) => formatPrice(row.spent),
  },
  {
    label: copy.columns.status,
    by: (row) => row.status,
    cell: (row) => <ImporterStatus status={row.status} />,
  },
];

function SuccessRate({ row }: { row: ImporterRow }) {
  return (
    <span className="flex min-w-28 items-center gap-2">
      <Progress
        label={copy.success(row.success_rate, row.completed, row.requests)}
        part={row.success_rate / 100}
      />
      <span aria-hidden className="w-10 text-right text-small figures">
        {row.success_rate}%
      </span>
    </span>
  );
}
