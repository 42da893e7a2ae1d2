/** A list of the back office: search, tabs with counts, the rows, more of them, and what stands there without any. */
import type { ReactNode } from 'react';
import { ArrivalNotice } from '@/components/arrival-notice';
import { EmptyState } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { adminList as copy } from '@/copy/back-office';
import type { ListState } from '../list-state';
import type { OfficeList } from '../use-office-list';
import { ExportButton } from './export-button';
import type { RecordTableProps } from './record-row';
import { RecordTable } from './record-table';

export interface RecordListProps<Row>
  extends Omit<RecordTableProps<Row>, 'list' | 'total' | 'status' | 'order' | 'onOrder'>, OfficeList<Row> {
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  readCsv: () => Promise<string>;
  searchLabel: string;
  /** Tab value → label, in their order; the values are those the server counts by. */
  tabs?: Record<string, string>;
  /** More to filter by, beside the search. */
  filters?: ReactNode;
}

export function RecordList<Row>({ searchLabel, tabs, filters, readCsv, ...props }: RecordListProps<Row>) {
  const { told, state, onChange, caption } = props;
  return (
    <div className="space-y-4">
      <div role="search" className="flex flex-wrap items-end gap-3">
        <Field label={searchLabel} className="min-w-0 flex-1 sm:max-w-xl">
          {(control) => (
            <Input
              {...control}
              type="search"
              value={state.search}
              onChange={(event) => onChange({ search: event.target.value })}
            />
          )}
        </Field>
        <div className="ml-auto">
          <ExportButton list={caption} readCsv={readCsv} />
        </div>
        {filters && <div className="flex basis-full flex-wrap items-start gap-3">{filters}</div>}
      </div>
      {tabs ? (
        <Tabs value={state.status} onValueChange={(status) => onChange({ status })}>
          <TabsList aria-label={caption} className="overflow-x-auto overflow-y-hidden">
            {Object.entries(tabs).map(([value, label]) => (
              <TabsTrigger key={value} value={value} className="flex-none whitespace-nowrap">
                {label} <TabCount count={told?.counts?.[value]} />
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsContent value={state.status} className="pt-4">
            <Body {...props} />
          </TabsContent>
        </Tabs>
      ) : (
        <Body {...props} />
      )}
    </div>
  );
}

function TabCount({ count }: { count: number | undefined }): ReactNode {
  if (count === undefined) return null;
  return <span className="ml-1 text-small font-normal figures">{count.toLocaleString('en-US')}</span>;
}

type BodyProps<Row> = Omit<RecordListProps<Row>, 'searchLabel' | 'tabs' | 'filters' | 'readCsv'>;

function Body<Row>({ list, told, state, onChange, ...table }: BodyProps<Row>) {
  return (
    <QueryView query={list} error={copy.failed} pending={<Waiting />}>
      {(rows) => (
        <div aria-busy={list.isPrevious} className="space-y-4">
          {/* Below the heads of a table, which stay at the top. */}
          <ArrivalNotice list={list} label={copy.arrived} className="z-20 xl:top-25" />
          {rows.length === 0 ? (
            <EmptyState {...copy.empty} className="rounded-card border bg-card" />
          ) : (
            <RecordTable
              {...table}
              list={list}
              total={told?.total ?? rows.length}
              status={<Shown shown={rows.length} total={told?.total ?? rows.length} />}
              order={state.sort}
              onOrder={(sort) => onChange({ sort })}
            />
          )}
        </div>
      )}
    </QueryView>
  );
}

function Shown({ shown, total }: { shown: number; total: number }) {
  return (
    <p role="status" className="text-small text-muted-foreground figures">
      {copy.shown(shown, total)}
    </p>
  );
}

function Waiting() {
  return (
    <div role="status" aria-busy aria-label={copy.loading} className="space-y-3">
      <Skeleton className="h-10 w-full rounded-card" />
      <Skeleton className="h-80 w-full rounded-card" />
    </div>
  );
}
