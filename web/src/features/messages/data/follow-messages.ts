/**
 * What a message does to the conversations and threads that are shown. One of a known conversation is put there as it
 * arrives; else one small read tells all that was written since the newest that is known.
 */
import type { QueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import type { Pages } from '@/lib/lists/pages';
import { dropRow, noteRight, patchRow, patchRows, placeRow } from '@/lib/lists/patches';
import type { RowChange } from '@/lib/realtime/channel-registry';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import { conversationOf, keyOfMessage, type Conversation, type SummarizedMessage } from '../conversations';
import { conversationsOptions, selectSince } from './conversations-query';
import { messageKeys } from './keys';
import type { Message } from './thread-query';

/** More than these is a new list. */
const MOST = 100;
/** What is written in a transaction carries the time of its beginning. */
const OVERLAP_MS = 10_000;
/** After longer than this much may have been read as well: the pages that are shown are read again. */
const SHORT_GAP_MS = 30_000;

export async function followMessages(
  client: QueryClient,
  userId: string,
  { changed, isGap, heardSince }: RowChanges,
): Promise<void> {
  const list = await readList(client, userId);
  if (!list) return;
  const rightAt = list.pages[0]?.rightAt ?? 0;
  if (isGap && rightAt < heardSince) return bringUpToDate(client, userId, heardSince - rightAt);
  const written = changed.filter(({ kind }) => kind === 'INSERT').map(messageOf);
  if (written.every((message) => noteKnown(client, userId, list, message))) return;
  await readNews(client, userId);
}

/** Nothing was missed by a list that came after the channel. A failure is mended by the next change or gap. */
async function bringUpToDate(client: QueryClient, userId: string, gap: number): Promise<void> {
  if (gap <= SHORT_GAP_MS) return readNews(client, userId);
  await readAgain(client, userId);
}

/** The list may still be on its way when the channel joins. */
async function readList(client: QueryClient, userId: string): Promise<Pages<Conversation> | null> {
  try {
    return await client.infiniteQuery({ ...conversationsOptions(userId, ''), staleTime: 'static' });
  } catch {
    return null;
  }
}

async function readAgain(client: QueryClient, userId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: messageKeys.conversations(userId) }),
    client.invalidateQueries({ queryKey: messageKeys.threads(userId) }),
  ]);
}

/** Puts what was written since the newest known message where it stands. Nothing where no list was read. */
export async function readNews(client: QueryClient, userId: string): Promise<void> {
  const list = client.getQueryData<Pages<Conversation>>(messageKeys.found(userId, ''));
  if (!list) return;
  const now = Date.now();
  const newest = list.pages[0]?.rows[0]?.date ?? new Date(0).toISOString();
  const since = new Date(Math.max(0, Date.parse(newest) - OVERLAP_MS)).toISOString();
  const answer = await selectSince(userId, since, MOST + 1);
  // Not read: what is shown stays as right as it was, and the next change asks for all of it.
  if (answer.error) return;
  const news = unwrap(answer, errors.fetch.messages);
  if (news.length > MOST) return readAgain(client, userId);
  for (const message of news.toReversed()) noteMessage(client, userId, message);
  noteRight(client, messageKeys.conversations(userId), now);
}

/** Puts a message where it stands, also one that stands there already. */
function noteMessage(client: QueryClient, userId: string, message: SummarizedMessage & Message): void {
  const conversation = conversationOf(message, userId, message.receiver_id === userId && !message.is_read);
  lead(client, userId, conversation);
  const { id, content, created_at, conversation_id, sender_id, receiver_id, is_read } = message;
  const row: Message = { id, content, created_at, conversation_id, sender_id, receiver_id, is_read };
  const thread = messageKeys.thread(userId, conversation.counterpart.key);
  patchRow<Message>(client, thread, row.id, () => row);
  placeRow<Message>(client, thread, row, (other) => other.created_at < row.created_at);
}

/** The conversation with the newest message leads; one of a search is changed where it stands. */
function lead(client: QueryClient, userId: string, conversation: Conversation): void {
  const isBefore = ({ date }: Conversation) => date <= conversation.date;
  const joined = (known: Conversation): Conversation =>
    isBefore(known)
      ? { ...conversation, isUnread: conversation.isUnread || (known.isUnread && !conversation.isOwn) }
      : known;
  const known = patchRow(client, messageKeys.conversations(userId), conversation.id, joined);
  if (known && !isBefore(known)) return;
  const led = known ? joined(known) : conversation;
  const list = messageKeys.found(userId, '');
  dropRow(client, list, led.id);
  placeRow<Conversation>(client, list, led, isBefore);
}

/** Whether all that is to be shown of the message is known without asking. */
function noteKnown(
  client: QueryClient,
  userId: string,
  list: Pages<Conversation>,
  message: Message | null,
): boolean {
  if (!message) return false;
  const key = keyOfMessage(message, userId);
  const known = list.pages.flatMap(({ rows }) => rows).find(({ counterpart }) => counterpart.key === key);
  if (!known) return false;
  const { name, country, avatarUrl } = known.counterpart;
  const person = { full_name: name, country, avatar_url: avatarUrl };
  noteMessage(client, userId, { ...message, sender: person, receiver: person });
  return true;
}

/** Read in another tab, on another device, or by the other side. */
export function followReads(client: QueryClient, userId: string, { changed }: RowChanges): void {
  const read = new Set(changed.filter(({ row }) => row.is_read === true).map(({ row }) => row.id));
  if (read.size === 0) return;
  patchRows<Message>(client, messageKeys.threads(userId), (row) =>
    read.has(row.id) && !row.is_read ? { ...row, is_read: true } : row,
  );
  // A conversation is read whole.
  patchRows<Conversation>(client, messageKeys.conversations(userId), (row) =>
    read.has(row.lastId) && row.isUnread && !row.isOwn ? { ...row, isUnread: false } : row,
  );
}

function messageOf({ row }: RowChange): Message | null {
  const { id, content, created_at, conversation_id, sender_id, receiver_id, is_read } = row;
  const isWhole = [id, content, created_at, conversation_id, sender_id, receiver_id].every(
    (field) => typeof field === 'string',
  );
  if (!isWhole) return null;
  return {
    id: String(id),
    content: String(content),
    created_at: String(created_at),
    conversation_id: String(conversation_id),
    sender_id: String(sender_id),
    receiver_id: String(receiver_id),
    is_read: is_read === true,
  };
}
