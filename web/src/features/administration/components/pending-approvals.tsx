/** The submissions that wait longest, each with the three documented buttons. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { paths } from '@/config/paths';
import { adminAgents } from '@/copy/back-office';
import { adminDashboard } from '@/copy/back-office-figures';
import { countryName } from '@/lib/country';
import { formatDay } from '@/lib/format';
import type { AgentRow } from '../data/lists';
import { AgentSheet } from './agent-sheet';
import { ReviewButtons } from './agent-actions';

const copy = adminDashboard.approvals;

export function PendingApprovals({ agents }: { agents: AgentRow[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  const agent = agents.find((row) => row.user_id === opened);
  return (
    <Card aria-labelledby="approvals-title">
      <CardHeader>
        <CardTitle id="approvals-title">{copy.title}</CardTitle>
        <Link to={paths.admin.agents} className="font-semibold text-primary underline underline-offset-4">
          {copy.all}
        </Link>
      </CardHeader>
      {agents.length === 0 && <CardContent className="text-muted-foreground">{copy.empty}</CardContent>}
      <ul className="divide-y">
        {agents.map((row) => (
          <Approval key={row.user_id} agent={row} onReview={() => setOpened(row.user_id)} />
        ))}
      </ul>
      {agent && <AgentSheet agent={agent} onClose={() => setOpened(null)} />}
    </Card>
  );
}

function Approval({ agent, onReview }: { agent: AgentRow; onReview: () => void }) {
  const name = agent.full_name ?? agent.email;
  return (
    <li className="space-y-3 p-4 sm:p-5">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={agent.avatar_url} />
        <div className="min-w-0 leading-snug">
          <p className="truncate font-semibold">{name}</p>
          <p className="text-small text-muted-foreground">
            {[agent.company_name, agent.city, countryName(agent.country)].filter(Boolean).join(', ')}
            {agent.submission && ` · ${copy.submitted} ${formatDay(agent.submission.submitted_at)}`}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <ReviewButtons agent={agent} withMoreInfo={false} />
        <Button size="small" variant="outline" onClick={onReview}>
          {adminAgents.actions.review}
        </Button>
      </div>
    </li>
  );
}
