import { useQuery } from '@tanstack/react-query';
import { ChartColumn, MessagesSquare, ScrollText, Settings, ShieldCheck, Users } from 'lucide-react';
import { Link } from 'react-router-dom';
import { ErrorPanel } from '@/components/error-panel';
import { PageHeading } from '@/components/page-heading';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { adminDashboard as copy } from '@/copy/back-office-figures';
import { navigation } from '@/copy/navigation';
import { PendingApprovals } from '@/features/administration/components/pending-approvals';
import { PlatformActivity } from '@/features/administration/components/platform-activity';
import { SystemAlerts } from '@/features/administration/components/system-alerts';
import { overviewQueryOptions, type Overview } from '@/features/administration/data/overview-query';

export default function AdminDashboardScreen() {
  const { data, error, isError, refetch } = useQuery(overviewQueryOptions());
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <Figures stats={data?.stats} failed={isError} />
      <QuickLinks />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:items-start">
        <div className="space-y-6" aria-busy={!data && !isError}>
          {error && <ErrorPanel error={error} fallback={copy.failed} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton className="h-96 w-full rounded-card" />}
          {data && <SystemAlerts alerts={data.alerts} />}
          {data && <PendingApprovals agents={data.pending_approvals} />}
        </div>
        <PlatformActivity />
      </div>
    </div>
  );
}

function Figures({ stats, failed }: { stats: Overview['stats'] | undefined; failed: boolean }) {
  const value = (name: keyof Overview['stats']) => stats?.[name] ?? (failed ? null : undefined);
  const { tiles, hints } = copy;
  const shown = (text: (count: number) => string, name: keyof Overview['stats']) =>
    stats ? text(stats[name]) : '\u00a0';
  return (
    <StatTiles>
      <StatTile
        label={tiles.total_agents}
        value={value('total_agents')}
        hint={shown(hints.total_agents, 'verified_agents')}
      />
      <StatTile
        label={tiles.pending_agents}
        value={value('pending_agents')}
        hint={shown(hints.pending_agents, 'payment_pending_agents')}
      />
      <StatTile
        label={tiles.total_importers}
        value={value('total_importers')}
        hint={shown(hints.total_importers, 'countries')}
      />
      <StatTile
        label={tiles.active_requests}
        value={value('active_requests')}
        hint={shown(hints.active_requests, 'open_deals')}
      />
    </StatTiles>
  );
}

const LINKS = [
  ['agents', ShieldCheck],
  ['importers', Users],
  ['requests', ScrollText],
  ['messages', MessagesSquare],
  ['analytics', ChartColumn],
  ['settings', Settings],
] as const;

function QuickLinks() {
  return (
    <nav aria-label={copy.links.title} className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      {LINKS.map(([name, Icon]) => (
        <Button key={name} variant="outline" size="small" asChild>
          <Link to={paths.admin[name]}>
            <Icon aria-hidden />
            {navigation.admin[name]}
          </Link>
        </Button>
      ))}
    </nav>
  );
}
