import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { analytics as copy } from '@/copy/back-office-figures';
import { AnalyticsCards } from '@/features/administration/analytics/components/analytics-cards';
import { AnalyticsTabs } from '@/features/administration/analytics/components/analytics-tabs';
import { DateRange, WindowLine } from '@/features/administration/analytics/components/date-range';
import {
  analyticsQueryOptions,
  analyticsSearch,
  type Days,
} from '@/features/administration/analytics/data/analytics-query';
import { reportCsv } from '@/features/administration/analytics/report';
import { downloadCsv } from '@/lib/csv';
import { useSearchState } from '@/lib/search-params';

export default function AdminAnalyticsScreen() {
  const [{ from, to }, setSearch] = useSearchState(analyticsSearch);
  const days: Days | null = from && to ? { from, to } : null;
  const query = useQuery(analyticsQueryOptions(days));
  const { data, isPlaceholderData } = query;
  return (
    <div className="space-y-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <PageHeading>{copy.title}</PageHeading>
          {data ? <WindowLine days={data} /> : <p className="text-muted-foreground">{copy.lead}</p>}
        </div>
        <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:w-auto">
          <DateRange
            key={`${data?.from}${data?.to}`}
            shown={data}
            onChange={(wanted) => setSearch(wanted ?? { from: '', to: '' })}
          />
          <Button
            disabled={!data}
            onClick={() => data && downloadCsv(copy.fileName(data.from, data.to), reportCsv(data))}
          >
            <Download aria-hidden />
            {copy.exportReport}
          </Button>
        </div>
      </header>
      <QueryView query={query} error={copy.failed} pending={<Waiting />}>
        {(figures) => (
          <div aria-busy={isPlaceholderData} className="space-y-6">
            <AnalyticsCards summary={figures.summary} />
            <AnalyticsTabs data={figures} />
          </div>
        )}
      </QueryView>
    </div>
  );
}

function Waiting() {
  return (
    <div aria-busy className="space-y-6">
      <Skeleton className="h-60 w-full rounded-card" />
      <Skeleton className="h-96 w-full rounded-card" />
    </div>
  );
}
