/** What waits for the administrator. Each alert leads to the list of exactly what it counts. */
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Badge } from '@/components/ui/badge';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { adminDashboard } from '@/copy/back-office-figures';
import type { Overview, SystemAlert } from '../data/overview-query';
import { alertPlaces } from '../places';

const copy = adminDashboard.alerts;
const TONES = { high: 'danger', medium: 'warning', low: 'neutral' } as const;

export function SystemAlerts({ alerts }: { alerts: Overview['alerts'] }) {
  return (
    <Card aria-labelledby="alerts-title">
      <CardHeader>
        <CardTitle id="alerts-title">{copy.title}</CardTitle>
      </CardHeader>
      {alerts.length === 0 && <CardContent className="text-muted-foreground">{copy.none}</CardContent>}
      <ul className="divide-y">
        {alerts.map((alert) => (
          <AlertLine key={alert.kind} {...alert} />
        ))}
      </ul>
    </Card>
  );
}

function AlertLine({ kind, severity, count }: SystemAlert) {
  return (
    <li>
      <Link
        to={alertPlaces[kind]}
        className="flex min-h-12 items-center gap-3 px-4 py-2 font-semibold hover:bg-muted focus-visible:-outline-offset-2 sm:px-5"
      >
        <span className="flex w-28 shrink-0">
          <Badge tone={TONES[severity]}>{copy.severity[severity]}</Badge>
        </span>
        <span className="min-w-0 flex-1">{copy[kind](count)}</span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      </Link>
    </li>
  );
}
