/** A list of the back office: search, tabs with counts, the rows, more of them, and what stands there without any. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState } from '@/components/empty-state';
import { ErrorPanel } from '@/components/error-panel';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Field } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { adminList as copy } from '@/copy/back-office';
import { PAGE, type ListAsk, type ListPage } from '../data/lists';
import { RecordTable, type RecordTableProps } from './record-table';

interface RecordListProps<Row> extends Omit<RecordTableProps<Row>, 'rows'> {
  query: UseQueryResult<ListPage<Row>>;
  ask: ListAsk;
  onAsk: (ask: ListAsk) => void;
  searchLabel: string;
  /** Tab value → label, in their order; the values are those the server counts by. */
  tabs?: Record<string, string>;
}

export function RecordList<Row>({ query, ask, onAsk, searchLabel, tabs, ...table }: RecordListProps<Row>) {
  const body = <Body query={query} ask={ask} onAsk={onAsk} {...table} />;
  return (
    <div className="space-y-4">
      <Field label={searchLabel} className="max-w-xl">
        {(control) => (
          <Input
            {...control}
            type="search"
            value={ask.search}
            onChange={(event) => onAsk({ ...ask, search: event.target.value, limit: PAGE })}
          />
        )}
      </Field>
      {tabs ? (
        <Tabs value={ask.status} onValueChange={(status) => onAsk({ ...ask, status, limit: PAGE })}>
          <TabsList aria-label={table.caption} className="overflow-x-auto overflow-y-hidden">
            {Object.entries(tabs).map(([value, label]) => (
              <TabsTrigger key={value} value={value} className="flex-none whitespace-nowrap">
                {label} <TabCount count={query.data?.counts?.[value]} />
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsContent value={ask.status} className="pt-4">
            {body}
          </TabsContent>
        </Tabs>
      ) : (
        body
      )}
    </div>
  );
}

function TabCount({ count }: { count: number | undefined }): ReactNode {
  if (count === undefined) return null;
  return <span className="ml-1 text-small font-normal figures">{count.toLocaleString('en-US')}</span>;
}

type BodyProps<Row> = Omit<RecordListProps<Row>, 'searchLabel' | 'tabs'>;

function Body<Row>({ query, ask, onAsk, ...table }: BodyProps<Row>) {
  const { data, error, isPending, isPlaceholderData, refetch } = query;
  if (isPending) {
    return (
      <div aria-busy aria-label={copy.loading} className="space-y-3">
        <Skeleton className="h-12 w-full rounded-card" />
        <Skeleton className="h-80 w-full rounded-card" />
      </div>
    );
  }
  if (error) return <ErrorPanel error={error} fallback={copy.failed} onRetry={() => void refetch()} />;
  if (data.rows.length === 0) {
    return <EmptyState {...copy.empty} className="rounded-card border bg-card" />;
  }
  return (
    <div aria-busy={isPlaceholderData} className="space-y-4">
      <RecordTable {...table} rows={data.rows} />
      <div className="flex items-center justify-between gap-4">
        <p role="status" className="text-small text-muted-foreground figures">
          {copy.shown(data.rows.length, data.total)}
        </p>
        {data.rows.length < data.total && (
          <Button variant="outline" onClick={() => onAsk({ ...ask, limit: ask.limit + PAGE })}>
            {copy.more}
          </Button>
        )}
      </div>
    </div>
  );
}
