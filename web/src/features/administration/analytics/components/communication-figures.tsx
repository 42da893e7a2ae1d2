/** How people talk on the platform: volume, speed, and the state of the tickets. */
import { useQuery } from '@tanstack/react-query';
import { QueryView } from '@/components/query-view';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { adminList } from '@/copy/back-office';
import { adminTickets, communication as copy } from '@/copy/back-office-cases';
import { communicationQueryOptions, type CommunicationStats } from '../data/analytics-query';
import { BarFigure } from './bar-figure';
import { DataTable } from './data-table';

export default function CommunicationFigures() {
  return (
    <QueryView
      query={useQuery(communicationQueryOptions())}
      error={copy.failed}
      pending={<Skeleton className="h-96 w-full rounded-card" />}
    >
      {(data) => <Figures data={data} />}
    </QueryView>
  );
}

function Figures({ data }: { data: CommunicationStats }) {
  const tickets = Object.entries(adminTickets.status).map(
    ([status, label]) => [label, data.tickets_by_status[status] ?? 0] as const,
  );
  return (
    <div className="space-y-6">
      <Tiles stats={data} />
      <BarFigure
        id="per-day"
        title={copy.perDay}
        bars={data.messages_per_day.map((row) => ({ label: dayOf(row.day), value: row.messages }))}
        format={(value) => (value === 0 ? '' : String(value))}
        direction="columns"
        table={{
          caption: copy.perDay,
          head: [copy.day, copy.messages],
          rows: data.messages_per_day.map((row) => [row.day, row.messages]),
        }}
      />
      <Card aria-labelledby="by-status">
        <CardHeader>
          <CardTitle id="by-status">{copy.byStatus}</CardTitle>
        </CardHeader>
        <CardContent>
          <DataTable caption={copy.byStatus} head={[copy.status, copy.tickets]} rows={tickets} />
        </CardContent>
      </Card>
    </div>
  );
}

function Tiles({ stats }: { stats: CommunicationStats }) {
  const total = stats.messages_per_day.reduce((sum, row) => sum + row.messages, 0);
  const open = Object.entries(stats.tickets_by_status)
    .filter(([status]) => status !== 'resolved')
    .reduce((sum, [, count]) => sum + count, 0);
  const { median_first_response_minutes: median, answered_within_24h: answered } = stats;
  const tiles = [
    [copy.total, total.toLocaleString('en-US'), copy.totalHint],
    [copy.median, median === null ? adminList.none : copy.minutes(median), copy.medianHint],
    [copy.answered, answered === null ? adminList.none : `${answered}%`, copy.answeredHint],
    [copy.open, open.toLocaleString('en-US'), copy.openHint],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border bg-border lg:grid-cols-4">
      {tiles.map(([label, value, hint]) => (
        <div key={label} className="min-w-0 bg-card px-4 py-4 sm:px-5">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd>
            <span className="block font-heading text-[2rem] leading-10 font-[650] figures">{value}</span>
            <span className="text-small text-muted-foreground">{hint}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** `'2026-03-04'` → `'4 Mar'`. */
function dayOf(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(day),
  );
}
