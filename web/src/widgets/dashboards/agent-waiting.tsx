/** What waits for an agent: people who wrote or accepted, requests to answer, offers to complete. */
import { useQuery } from '@tanstack/react-query';
import { ClipboardList, Handshake, ImagePlus, MessageSquare } from 'lucide-react';
import { ErrorPanel } from '@/components/error-panel';
import { WaitingList, type WaitingItem } from '@/components/waiting-list';
import { paths, withSubject } from '@/config/paths';
import { agentDashboard, agentWaiting as copy } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import {
  agentWaitingOptions,
  type AgentWaiting as Waiting,
} from '@/features/invitations/data/agent-waiting-query';
import { unreadCountQueryOptions } from '@/features/messages/data/message-counts-query';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useFreshReads } from '@/lib/realtime/use-fresh-reads';

const NAMED = 3;

const TABLES = [tableChanges.invitations, tableChanges.messages] as const;

interface AgentWaitingProps {
  userId: string;
  /** With something else to do first, nothing is not worth a word. */
  isVerified: boolean;
}

export function AgentWaiting({ userId, isVerified }: AgentWaitingProps) {
  const options = agentWaitingOptions(userId);
  const waiting = useQuery(options);
  const unread = useQuery(unreadCountQueryOptions(userId));
  useFreshReads(TABLES, [options.queryKey]);
  const reads = [waiting, unread];
  const isReading = reads.some(({ isLoading }) => isLoading);
  const failed = reads.filter(({ data, error }) => data === undefined && error !== null);
  const items = [...unreadItem(unread.data ?? 0), ...(waiting.data ? itemsOf(waiting.data) : [])];
  if (!isVerified && (isReading || items.length === 0)) return null;
  return (
    <WaitingList
      title={copy.title}
      empty={<Nothing failed={failed} />}
      items={isReading ? undefined : items}
    />
  );
}

function itemsOf({ accepted, requests, photos }: Waiting): WaitingItem[] {
  return [...acceptedItem(accepted), ...requestsItem(requests), ...photosItem(photos)];
}

/** Only what was read may be said to be empty. */
function Nothing({ failed }: { failed: { error: Error | null; refetch: () => unknown }[] }) {
  const error = failed[0]?.error;
  if (!error) return <p className="text-muted-foreground">{copy.empty}</p>;
  const retry = () => failed.forEach(({ refetch }) => void refetch());
  return <ErrorPanel error={error} fallback={errors.generic} onRetry={retry} />;
}

function unreadItem(count: number): WaitingItem[] {
  if (count === 0) return [];
  const { title, hint } = copy.unread;
  return [{ to: paths.agent.messages, icon: MessageSquare, title: title(count), hint }];
}

function acceptedItem({ count, first }: Waiting['accepted']): WaitingItem[] {
  if (count === 0) return [];
  const { one, many, hint } = copy.accepted;
  const talk = withSubject(`${paths.agent.messages}?importer=${first.importerId}`, first.requestId);
  return [
    {
      to: count === 1 ? talk : `${paths.agent.invitations}?status=accepted`,
      icon: Handshake,
      title: count === 1 ? one(first.name ?? agentDashboard.unknownUser) : many(count),
      hint,
    },
  ];
}

function requestsItem(wanted: Waiting['requests']): WaitingItem[] {
  const [first] = wanted;
  if (!first) return [];
  const feed = `${paths.agent.feed}?tab=requests`;
  return [
    {
      to: wanted.length === 1 ? `${feed}&make=${encodeURIComponent(first.make)}` : feed,
      icon: ClipboardList,
      title: copy.requests.title(wanted.reduce((sum, { count }) => sum + count, 0)),
      hint: wanted.length > NAMED ? copy.requests.hint : wanted.map(({ make }) => make).join(', '),
    },
  ];
}

function photosItem({ count, first }: Waiting['photos']): WaitingItem[] {
  if (count === 0) return [];
  const { title, hint } = copy.photos;
  return [
    { to: paths.agent.editPost(first.id), icon: ImagePlus, title: title(count), hint: hint(first.car) },
  ];
}
