import { useQuery } from '@tanstack/react-query';
import { PageHeading } from '@/components/page-heading';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Progress } from '@/components/ui/progress';
import { adminList } from '@/copy/back-office';
import { adminRequests as copy } from '@/copy/back-office-cases';
import { budgetOf } from '@/features/administration/budget';
import { RecordList } from '@/features/administration/components/record-list';
import type { Column } from '@/features/administration/components/record-table';
import { RequestSheet } from '@/features/administration/components/request-sheet';
import { PriorityBadge, RequestStatus } from '@/features/administration/components/status-badges';
import { listQueryOptions, type RequestRow } from '@/features/administration/data/lists';
import { useListAsk } from '@/features/administration/use-list-ask';
import { useOpenedRow } from '@/features/administration/use-opened-row';

const TILES = ['all', 'pending_approval', 'pending_agent', 'disputed'] as const;

export default function AdminRequestsScreen() {
  const { typed, asked, onAsk } = useListAsk();
  const query = useQuery(listQueryOptions('admin_requests', asked));
  const { row: request, open, close } = useOpenedRow(query, (row) => row.id);
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
            value={query.data?.counts?.[tile] ?? (query.isError ? null : undefined)}
            hint={copy.hints[tile]}
          />
        ))}
      </StatTiles>
      <RecordList
        caption={copy.title}
        query={query}
        ask={typed}
        onAsk={onAsk}
        searchLabel={copy.search}
        tabs={copy.tabs}
        columns={COLUMNS}
        idOf={(row) => row.id}
        nameOf={nameOf}
        onOpen={open}
      />
      {request && <RequestSheet request={request} onClose={close} />}
    </div>
  );
}

const PRIORITIES = ['urgent', 'high', 'medium', 'low'];
const nameOf = (row: RequestRow) => `${row.car_make} ${row.car_model}`;

const COLUMNS: readonly Column<RequestRow>[] = [
  { label: copy.columns.car, by: nameOf, cell: nameOf },
  {
    label: copy.columns.importer,
    by: (row) => row.importer_name ?? '',
    cell: (row) => row.importer_name ?? adminList.none,
  },
  {
    label: copy.columns.budget,
    by: (row) => row.budget_max ?? row.budget_min ?? 0,
    cell: (row) => <span className="whitespace-nowrap">{budgetOf(row)}</span>,
  },
  {
    label: copy.columns.agent,
    by: (row) => row.assigned_agent ?? '',
    cell: (row) => row.assigned_agent ?? adminList.none,
  },
  {
    label: copy.columns.priority,
    by: (row) => PRIORITIES.indexOf(row.priority),
    cell: (row) => <PriorityBadge priority={row.priority} />,
  },
  {
    label: copy.columns.progress,
    by: (row) => row.progress,
    cell: (row) => (
      <span className="flex min-w-24 items-center gap-2">
        <Progress label={copy.progress(row.progress)} part={row.progress / 100} />
        <span aria-hidden className="w-10 text-right text-small figures">
          {row.progress}%
        </span>
      </span>
    ),
  },
  {
    label: copy.columns.status,
    by: (row) => row.status,
    cell: (row) => <RequestStatus status={row.status} />,
  },
];
