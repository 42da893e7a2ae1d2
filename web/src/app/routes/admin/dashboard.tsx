import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, History, MessagesSquare, ScrollText, UserPlus, Wallet } from 'lucide-react';
import { Link } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { adminDashboard as copy } from '@/copy/back-office-figures';
import { agentRecords } from '@/features/administration/agents/agent-records';
import { AgentDetails } from '@/features/administration/agents/components/agent-details';
import { PendingApprovals } from '@/features/administration/agents/components/pending-approvals';
import { PlatformActivity } from '@/features/administration/overview/components/platform-activity';
import { SystemAlerts } from '@/features/administration/overview/components/system-alerts';
import { overviewQueryOptions, type Overview } from '@/features/administration/overview/data/overview-query';
import { quickPlaces } from '@/features/administration/overview/places';
import { OpenedRow } from '@/features/administration/records/components/opened-row';
import { useOpenedRow } from '@/features/administration/records/use-record-list';
import { opened, useSearchState } from '@/lib/search-params';

const SEARCH = { open: opened() };

export default function AdminDashboardScreen() {
  const query = useQuery(overviewQueryOptions());
  const { data, isError } = query;
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
          <QueryView
            query={query}
            error={copy.failed}
            pending={<Skeleton className="h-96 w-full rounded-card" />}
          >
            {(overview) => <Waiting overview={overview} />}
          </QueryView>
        </div>
        <PlatformActivity />
      </div>
    </div>
  );
}

/** What waits; the submission that is looked at stays open when its decision takes it off the list. */
function Waiting({ overview }: { overview: Overview }) {
  const { alerts, pending_approvals: agents } = overview;
  const [{ open }, setSearch] = useSearchState(SEARCH);
  const listed = agents.find((agent) => agent.user_id === open);
  const query = useOpenedRow(agentRecords, open);
  const close = () => setSearch({ open: null });
  return (
    <>
      <SystemAlerts alerts={alerts} />
      <PendingApprovals agents={agents} onReview={(agent) => setSearch({ open: agent.user_id })} />
      <OpenedRow
        id={open}
        query={query}
        listed={listed}
        titleOf={(agent) => agent.full_name || agent.email}
        onClose={close}
      >
        {(agent) => <AgentDetails agent={agent} />}
      </OpenedRow>
    </>
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
  ['verify', BadgeCheck],
  ['payments', Wallet],
  ['requests', ScrollText],
  ['assign', UserPlus],
  ['tickets', MessagesSquare],
  ['audit', History],
] as const;

function QuickLinks() {
  return (
    <nav aria-label={copy.links.title} className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      {LINKS.map(([name, Icon]) => (
        <Button key={name} variant="outline" size="small" asChild>
          <Link to={quickPlaces[name]}>
            <Icon aria-hidden />
            {copy.links[name]}
          </Link>
        </Button>
      ))}
    </nav>
  );
}
