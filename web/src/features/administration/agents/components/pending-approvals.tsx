/** The submissions that wait longest. A decision begins with a look: 'Approve' opens the details until the documents were seen. */
import { Link } from 'react-router-dom';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { paths } from '@/config/paths';
import { adminAgents } from '@/copy/back-office';
import { adminDashboard } from '@/copy/back-office-figures';
import { countryName } from '@/lib/country';
import { formatDay } from '@/lib/format';
import { searchOf } from '@/lib/search-params';
import { agentRecords } from '../agent-records';
import type { AgentRow } from '../data/agent-row';
import { useOpenedDocuments } from '../data/documents';
import { ReviewDialog } from './review-dialog';

const copy = adminDashboard.approvals;

interface PendingApprovalsProps {
  agents: AgentRow[];
  onReview: (agent: AgentRow) => void;
}

export function PendingApprovals({ agents, onReview }: PendingApprovalsProps) {
  return (
    <Card aria-labelledby="approvals-title">
      <CardHeader>
        <CardTitle id="approvals-title">{copy.title}</CardTitle>
        <Link
          to={`${paths.admin.agents}${searchOf(agentRecords.search, { status: 'pending' })}`}
          className="touch-target font-semibold text-primary underline underline-offset-4"
        >
          {copy.all}
        </Link>
      </CardHeader>
      {agents.length === 0 && <CardContent className="text-muted-foreground">{copy.empty}</CardContent>}
      <ul className="divide-y">
        {agents.map((row) => (
          <Approval key={row.user_id} agent={row} onReview={() => onReview(row)} />
        ))}
      </ul>
    </Card>
  );
}

function Approval({ agent, onReview }: { agent: AgentRow; onReview: () => void }) {
  const { unopened } = useOpenedDocuments(agent.submission);
  const name = agent.full_name ?? agent.email;
  return (
    <li className="space-y-3 p-4 sm:p-5">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={agent.avatar_url} />
        <div className="min-w-0 leading-snug">
          <p dir="auto" className="truncate text-left font-semibold">
            {name}
          </p>
          <p className="text-small text-muted-foreground">
            <bdi>
              {[agent.company_name, agent.city, countryName(agent.country)].filter(Boolean).join(', ')}
            </bdi>
            {agent.submission && (
              <>
                {' · '}
                <span className="whitespace-nowrap">
                  {copy.submitted} {formatDay(agent.submission.submitted_at)}
                </span>
              </>
            )}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={onReview}>
          {adminAgents.actions.review}
        </Button>
        {unopened.length > 0 ? (
          <Button size="small" variant="outline" onClick={onReview}>
            {adminAgents.actions.approve}
          </Button>
        ) : (
          <ReviewDialog agent={agent} verdict="approve" isQuiet />
        )}
        <ReviewDialog agent={agent} verdict="reject" />
      </div>
    </li>
  );
}
