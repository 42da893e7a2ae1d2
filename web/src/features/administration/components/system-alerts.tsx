import { CircleAlert, Clock, Info } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { paths } from '@/config/paths';
import { adminDashboard } from '@/copy/back-office-figures';
import type { AlertKind, Overview } from '../data/overview-query';

const copy = adminDashboard.alerts;
const ICONS = { high: CircleAlert, medium: Clock, low: Info };
/** Where each alert is dealt with. */
const PLACES: Record<AlertKind, string> = {
  disputed_requests: paths.admin.requests,
  reported_conversations: paths.admin.messages,
  escalated_tickets: paths.admin.messages,
  pending_agents: paths.admin.agents,
  requests_to_approve: paths.admin.requests,
  undelivered_notifications: paths.admin.settings,
};

export function SystemAlerts({ alerts }: { alerts: Overview['alerts'] }) {
  return (
    <Card aria-labelledby="alerts-title">
      <CardHeader>
        <CardTitle id="alerts-title">{copy.title}</CardTitle>
      </CardHeader>
      {alerts.length === 0 && <CardContent className="text-muted-foreground">{copy.none}</CardContent>}
      <ul className="divide-y">
        {alerts.map(({ kind, severity, count }) => {
          const Icon = ICONS[severity];
          return (
            <li key={kind} className="flex min-h-14 items-center gap-3 px-4 sm:px-5">
              <Icon
                aria-hidden
                className={severity === 'high' ? 'size-4 text-destructive' : 'size-4 text-muted-foreground'}
              />
              <Link
                to={PLACES[kind]}
                className="inline-flex min-h-11 flex-1 items-center font-semibold hover:underline hover:underline-offset-4"
              >
                {copy[kind](count)}
              </Link>
              <span className="text-small text-muted-foreground">{copy.severity[severity]}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
