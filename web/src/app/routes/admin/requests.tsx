import { PageHeading } from '@/components/page-heading';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Progress } from '@/components/ui/progress';
import { adminList } from '@/copy/back-office';
import { adminRequests as copy } from '@/copy/back-office-cases';
import { OpenedRow } from '@/features/administration/records/components/opened-row';
import { RecordList } from '@/features/administration/records/components/record-list';
import type { Column } from '@/features/administration/records/components/record-row';
import { useRecordList } from '@/features/administration/records/use-record-list';
import {
  PriorityBadge,
  RequestDetails,
  RequestStatus,
} from '@/features/administration/requests/components/request-details';
import type { ListedRequest } from '@/features/administration/requests/data/request-row';
import { budgetOf } from '@/features/administration/requests/request-records';
import { requestRecords } from '@/features/administration/requests/request-records';
import { formatDay } from '@/lib/format';

const TILES = ['all', 'pending_approval', 'pending_agent', 'disputed'] as const;

export default function AdminRequestsScreen() {
  const { listProps, openedProps } = useRecordList(requestRecords);
  const { list, told } = listProps;
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <StatTiles>
        {TILES.map((tile) => (
          <StatTile
            key={tile}
            label={copy.tiles[tile]}
            value={told?.counts?.[tile] ?? (list.error ? null : undefined)}
            hint={copy.hints[tile]}
          />
        ))}
      </StatTiles>
      <RecordList
        {...listProps}
        caption={copy.title}
        searchLabel={copy.search}
        tabs={copy.tabs}
        columns={COLUMNS}
        nameOf={nameOf}
      />
      <OpenedRow {...openedProps} titleOf={nameOf}>
        {(request) => <RequestDetails request={request} />}
      </OpenedRow>
    </div>
  );
}

const nameOf = (row: ListedRequest) => `${row.car_make} ${row.car_model}`;

const COLUMNS: readonly Column<ListedRequest>[] = [
  { label: copy.columns.car, order: 'car', cell: nameOf },
  {
    label: copy.columns.importer,
    order: 'importer',
    cell: (row) => row.importer_name ?? adminList.none,
  },
  { label: copy.columns.posted, order: 'posted', cell: (row) => formatDay(row.created_at) },
  { label: copy.columns.budget, order: 'budget', cell: (row) => budgetOf(row, 'short') },
  { label: copy.columns.agent, order: 'agent', cell: (row) => row.assigned_agent ?? adminList.none },
  {
    label: copy.columns.priority,
    order: 'priority',
    cell: (row) => <PriorityBadge priority={row.priority} />,
  },
  {
    label: copy.columns.progress,
    order: 'progress',
    cell: (row) => (
      <span className="flex w-18 items-center gap-1">
        <Progress label={copy.progress(row.progress)} part={row.progress / 100} />
        <span aria-hidden className="w-9 shrink-0 text-right text-small whitespace-nowrap figures">
          {row.progress}%
        </span>
      </span>
    ),
  },
  { label: copy.columns.status, order: 'status', cell: (row) => <RequestStatus status={row.status} /> },
];
