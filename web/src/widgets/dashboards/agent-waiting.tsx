/** What waits for an agent: people who wrote or accepted, requests to answer, offers to complete. */
import { useQuery } from '@tanstack/react-query';
import { ClipboardList, Handshake, ImagePlus, MessageSquare } from 'lucide-react';
import { ErrorPanel } from '@/components/error-panel';
import { WaitingList, type WaitingItem } from '@/components/waiting-list';
import { paths, withSubject } from '@/config/paths';
import { agentDashboard, agentWaiting as copy } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import type { Invitation } from '@/features/invitations/data/invitations-query';
import { lastWordsQueryOptions, type LastWords } from '@/features/messages/data/last-words-query';
import { unreadCountQueryOptions } from '@/features/messages/data/message-counts-query';
import { agentPostsQueryOptions, type Post } from '@/features/posts/data/posts-query';
import { requestsOfMakesQueryOptions } from '@/features/requests/data/requests-of-makes-query';

const NAMED = 3;

interface AgentWaitingProps {
  userId: string;
  invitations: Invitation[] | undefined;
  /** With something else to do first, nothing is not worth a word. */
  isVerified: boolean;
}

export function AgentWaiting({ userId, invitations, isVerified }: AgentWaitingProps) {
  const unread = useQuery(unreadCountQueryOptions(userId));
  const words = useQuery(lastWordsQueryOptions(userId));
  const posts = useQuery(agentPostsQueryOptions(userId));
  const makes = [...new Set(posts.data?.map((post) => post.car_name))].sort();
  const wanted = useQuery(requestsOfMakesQueryOptions(makes));
  const reads = [unread, words, posts, wanted];
  const isReading = reads.some(({ isLoading }) => isLoading);
  const failed = reads.filter(({ data, error }) => data === undefined && error !== null);
  const items = [
    ...unreadItem(unread.data ?? 0),
    ...acceptedItem(withoutWord(invitations ?? [], words.data)),
    ...requestsItem(withoutInvitation(wanted.data ?? [], invitations ?? [])),
    ...photosItem((posts.data ?? []).filter(hasNoPhoto)),
  ];
  if (!isVerified && (isReading || items.length === 0)) return null;
  return (
    <WaitingList
      title={copy.title}
      empty={<Nothing failed={failed} />}
      items={isReading ? undefined : items}
    />
  );
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

function acceptedItem(accepted: Invitation[]): WaitingItem[] {
  const [first, ...others] = accepted;
  if (!first) return [];
  const { one, many, hint } = copy.accepted;
  const talk = withSubject(`${paths.agent.messages}?importer=${first.importer_id}`, first.request_id);
  const name = first.importer.full_name ?? agentDashboard.unknownUser;
  return [
    {
      to: others.length === 0 ? talk : `${paths.agent.invitations}?status=accepted`,
      icon: Handshake,
      title: others.length === 0 ? one(name) : many(accepted.length),
      hint,
    },
  ];
}

function requestsItem(wanted: { car_make: string }[]): WaitingItem[] {
  const [first] = wanted;
  if (!first) return [];
  const makes = [...new Set(wanted.map((request) => request.car_make))];
  const feed = `${paths.agent.feed}?tab=requests`;
  return [
    {
      to: makes.length === 1 ? `${feed}&make=${encodeURIComponent(first.car_make)}` : feed,
      icon: ClipboardList,
      title: copy.requests.title(wanted.length),
      hint: makes.length > NAMED ? copy.requests.hint : makes.join(', '),
    },
  ];
}

function photosItem(bare: Post[]): WaitingItem[] {
  const [first] = bare;
  if (!first) return [];
  const { title, hint } = copy.photos;
  return [
    {
      to: paths.agent.editPost(first.id),
      icon: ImagePlus,
      title: title(bare.length),
      hint: hint(`${first.car_name} ${first.model}`),
    },
  ];
}

/** Accepted, and nobody has written since; not said of what lies further back than was read. */
function withoutWord(invitations: Invitation[], words: LastWords | undefined): Invitation[] {
  if (!words?.isComplete) return [];
  return invitations.filter(
    ({ status, importer_id: id }) => status === 'accepted' && words.byPerson[id] === undefined,
  );
}

function withoutInvitation<Wanted extends { id: string }>(
  wanted: Wanted[],
  invitations: Invitation[],
): Wanted[] {
  const invited = new Set(invitations.map((invitation) => invitation.request_id));
  return wanted.filter(({ id }) => !invited.has(id));
}

function hasNoPhoto({ image_url: cover, image_urls: pictures }: Post): boolean {
  return !cover && !pictures?.length;
}
