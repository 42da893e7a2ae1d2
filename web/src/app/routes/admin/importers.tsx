import { CountryFlag } from '@/components/country-flag';
import { PageHeading } from '@/components/page-heading';
import { Progress } from '@/components/ui/progress';
import { adminImporters as copy, adminList } from '@/copy/back-office';
import {
  ImporterDetails,
  ImporterStatus,
} from '@/features/administration/importers/components/importer-details';
import { importerRecords, type ImporterRow } from '@/features/administration/importers/importer-records';
import { OpenedRow } from '@/features/administration/records/components/opened-row';
import { RecordList } from '@/features/administration/records/components/record-list';
import { NameCell, type Column } from '@/features/administration/records/components/record-row';
import { useRecordList } from '@/features/administration/records/use-record-list';
import { formatPrice } from '@/lib/format';

export default function AdminImportersScreen() {
  const { listProps, openedProps } = useRecordList(importerRecords);
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
        {(importer) => <ImporterDetails importer={importer} />}
      </OpenedRow>
    </div>
  );
}

const nameOf = (row: ImporterRow) => row.full_name || row.email;

const COLUMNS: readonly Column<ImporterRow>[] = [
  {
    label: copy.columns.importer,
    order: 'importer',
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
  { label: copy.columns.account, order: 'account', cell: (row) => copy.accountType[row.account_type] },
  { label: copy.columns.requests, order: 'requests', isFigure: true, cell: (row) => row.requests },
  { label: copy.columns.success, order: 'success', cell: (row) => <SuccessRate row={row} /> },
  { label: copy.columns.spent, order: 'spent', isFigure: true, cell: (row) => formatPrice(row.spent) },
  { label: copy.columns.status, order: 'status', cell: (row) => <ImporterStatus status={row.status} /> },
];

function SuccessRate({ row }: { row: ImporterRow }) {
  return (
    <span className="flex min-w-28 items-center gap-2">
      <Progress
        label={copy.success(row.success_rate, row.completed, row.requests)}
        part={row.success_rate / 100}
      />
      <span aria-hidden className="w-10 shrink-0 text-right text-small whitespace-nowrap figures">
        {row.success_rate}%
      </span>
    </span>
  );
}
