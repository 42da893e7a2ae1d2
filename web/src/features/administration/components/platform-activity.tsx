/** What happened lately, by whoever did it. */
import { useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '@/components/error-panel';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { activity as words, adminDashboard } from '@/copy/back-office-figures';
import { useNow } from '@/hooks/use-now';
import { formatAge } from '@/lib/format';
import { activityQueryOptions } from '../data/overview-query';

const copy = adminDashboard.activity;
const SHOWN = 20;

export function PlatformActivity() {
  const { data, error, refetch } = useQuery(activityQueryOptions(SHOWN));
  const now = useNow();
  return (
    <Card aria-labelledby="activity-title">
      <CardHeader>
        <CardTitle id="activity-title">{copy.title}</CardTitle>
      </CardHeader>
      {error && (
        <CardContent>
          <ErrorPanel error={error} fallback={adminDashboard.failed} onRetry={() => void refetch()} />
        </CardContent>
      )}
      {!data && !error && <Skeleton className="m-5 h-64" />}
      {data?.length === 0 && <CardContent className="text-muted-foreground">{copy.empty}</CardContent>}
      <ol className="max-h-[32rem] divide-y overflow-y-auto" tabIndex={0} aria-label={copy.title}>
        {data?.map((event) => (
          <li key={`${event.at}${event.kind}${event.target_id}`} className="px-4 py-3 leading-snug sm:px-5">
            <span className="font-semibold">{event.actor}</span> {words[event.kind] ?? event.kind}
            <span className="block text-small text-muted-foreground">
              {[detailOf(event.details), formatAge(event.at, now)].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** The car or the value an event is about, if it names one. */
function detailOf(details: unknown): string {
  const { car, value_usd: value } = (details ?? {}) as { car?: unknown; value_usd?: unknown };
  if (typeof car === 'string') return car;
  return typeof value === 'number' ? `$${value.toLocaleString('en-US')}` : '';
}
