/** What happened lately, by whoever did it. The whole record has a screen of its own. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { adminList } from '@/copy/back-office';
import { activity as words, adminDashboard } from '@/copy/back-office-figures';
import { useNow } from '@/hooks/use-now';
import type { Database } from '@/lib/database.types';
import { formatAge } from '@/lib/format';
import { activityQueryOptions } from '../data/overview-query';

const copy = adminDashboard.activity;
const READ = 20;
const FIRST = 10;

export function PlatformActivity() {
  const query = useQuery(activityQueryOptions(READ));
  const [shown, setShown] = useState(FIRST);
  const now = useNow();
  return (
    <Card aria-labelledby="activity-title">
      <CardHeader>
        <CardTitle id="activity-title">{copy.title}</CardTitle>
        <Link
          to={paths.admin.audit}
          className="touch-target font-semibold text-primary underline underline-offset-4"
        >
          {copy.all}
        </Link>
      </CardHeader>
      <QueryView
        query={query}
        error={adminDashboard.failed}
        className="m-4 sm:m-5"
        pending={<Skeleton className="m-5 h-64" />}
        empty={<CardContent className="text-muted-foreground">{copy.empty}</CardContent>}
      >
        {(events) => (
          <>
            <ol className="divide-y" aria-label={copy.title}>
              {events.slice(0, shown).map((event) => (
                <Happened key={`${event.at}${event.kind}${event.target_id}`} event={event} now={now} />
              ))}
            </ol>
            {events.length > shown && (
              <div className="border-t p-3">
                <Button variant="ghost" size="small" className="w-full" onClick={() => setShown(READ)}>
                  {adminList.more}
                </Button>
              </div>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

type Happening = Database['public']['Functions']['admin_activity']['Returns'][number];

function Happened({ event, now }: { event: Happening; now: Date }) {
  return (
    <li className="px-4 py-3 leading-snug sm:px-5">
      <span className="font-semibold break-words">
        <bdi>{event.actor}</bdi>
      </span>{' '}
      {words[event.kind] ?? event.kind}
      <span className="block text-small break-words text-muted-foreground">
        {[detailOf(event.details), formatAge(event.at, now)].filter(Boolean).join(' · ')}
      </span>
    </li>
  );
}

/** Whom or what an event is about: the member, the car or the value, if it names one. */
function detailOf(details: unknown): string {
  const { target, car, value_usd: value } = (details ?? {}) as Record<string, unknown>;
  if (typeof target === 'string') return target;
  if (typeof car === 'string') return car;
  return typeof value === 'number' ? `$${value.toLocaleString('en-US')}` : '';
}
