/** The agents an importer works with, and whose turn it is in each deal. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { QueryView } from '@/components/query-view';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { paths, withSubject } from '@/config/paths';
import { runningDeals as copy } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import { card } from '@/copy/posts';
import type { Invitation } from '@/features/invitations/data/invitation-answers';
import { runningInvitationsOptions } from '@/features/invitations/data/invitations-query';
import {
  lastWordsQueryOptions,
  type LastWord,
  type LastWords,
} from '@/features/messages/data/last-words-query';
import { formatAge, formatDay } from '@/lib/format';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useFreshReads } from '@/lib/realtime/use-fresh-reads';

const SHOWN = 4;

interface RunningDealsProps {
  userId: string;
  now: Date;
}

/** Nothing at all where no deal is under way; that invitations could not be read is said where they stand. */
export function RunningDeals({ userId, now }: RunningDealsProps) {
  const options = runningInvitationsOptions(userId, SHOWN);
  const query = useQuery(options);
  useFreshReads(tableChanges.invitations, [options.queryKey]);
  const words = useQuery(lastWordsQueryOptions(userId));
  if (query.data ? query.data.length === 0 : query.error) return null;
  return (
    <Card aria-labelledby="deals-title" aria-busy={query.isPending} className="overflow-hidden">
      <CardHeader>
        <CardTitle id="deals-title">{copy.title}</CardTitle>
      </CardHeader>
      <QueryView
        query={query}
        error={errors.fetch.invitations}
        pending={<Skeleton className="m-5 h-12" />}
        className="p-4"
      >
        {(known) => <DealList deals={known} words={words.data} now={now} />}
      </QueryView>
    </Card>
  );
}

interface DealListProps {
  deals: Invitation[];
  words: LastWords | undefined;
  now: Date;
}

function DealList({ deals, words, now }: DealListProps) {
  return (
    <ul className="divide-y">
      {deals.map((deal) => (
        <li key={deal.id}>
          <Deal deal={deal} state={stateOf(deal, words, now)} />
        </li>
      ))}
    </ul>
  );
}

function Deal({ deal, state }: { deal: Invitation; state: DealState }) {
  const { agent, agent_id: agentId, request, request_id: requestId } = deal;
  const name = agent.full_name ?? card.unknownAgent;
  const subject = request ? `${request.car_make} ${request.car_model}` : agent.company_name;
  return (
    <Link
      to={withSubject(`${paths.importer.messages}?agent=${agentId}`, requestId)}
      className="flex min-h-16 items-center gap-3 px-4 py-3 leading-snug transition-colors hover:bg-muted focus-visible:-outline-offset-2 sm:px-5"
    >
      <Avatar name={name} src={agent.avatar_url} />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 grow basis-52">
          <span dir="auto" className="block truncate text-left font-semibold">
            {subject ?? name}
          </span>
          <span className="block text-small break-words text-muted-foreground">
            {subject && `${name} · `}
            {state.text}
          </span>
        </span>
        {state.badge && <Badge tone={state.tone}>{state.badge}</Badge>}
      </span>
    </Link>
  );
}

interface DealState {
  text: string;
  badge?: string;
  tone?: 'warning' | 'neutral';
}

function stateOf(deal: Invitation, words: LastWords | undefined, now: Date): DealState {
  const word = words?.byPerson[deal.agent_id];
  if (word) return stateAfter(word, now);
  if (words?.isComplete) return { text: copy.silent, badge: copy.yourTurn, tone: 'warning' };
  return { text: copy.since(formatDay(deal.responded_at ?? deal.created_at)) };
}

function stateAfter({ isMine, isUnread, at }: LastWord, now: Date): DealState {
  const age = formatAge(at, now);
  if (isMine) return { text: copy.youWrote(age), badge: copy.theirTurn, tone: 'neutral' };
  return { text: copy.theyWrote(age), badge: isUnread ? copy.unread : copy.yourTurn, tone: 'warning' };
}
