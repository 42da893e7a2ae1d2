/** The last message of each conversation, newest first, with both sides, a page at a time. The service searches. */
import { errors } from '@/copy/errors';
import { functionPages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import { conversationOf, type Conversation, type SummarizedMessage } from '../conversations';
import { messageKeys } from './keys';

const PAGE = 50;
const PEOPLE = `sender:profiles!messages_sender_id_fkey(full_name,avatar_url,country),
  receiver:profiles!messages_receiver_id_fkey(full_name,avatar_url,country)` as const;
/** The embedded row is there for the last message of a conversation alone. */
const LAST_ONES = `*,${PEOPLE},conversation!inner(unread)` as const;

type MessageWithPeople = SummarizedMessage & { id: string };

interface LastMessage extends MessageWithPeople {
  conversation: { unread: number };
}

export function conversationsOptions(userId: string, search: string) {
  return {
    ...functionPages<Conversation>({
      queryKey: messageKeys.found(userId, search),
      size: PAGE,
      fallback: errors.fetch.messages,
      ask: async (cursor, limit, signal) => {
        const found = search === '' ? selectOwn(userId, cursor) : selectFound(search, cursor);
        const answer = await found
          .order('created_at', { ascending: false })
          .order('id', { ascending: true })
          .limit(limit)
          .abortSignal(signal)
          .overrideTypes<LastMessage[], { merge: false }>();
        const toConversation = ({ conversation, ...message }: LastMessage) =>
          conversationOf(message, userId, conversation.unread > 0);
        return { ...answer, data: answer.data?.map(toConversation) ?? null };
      },
    }),
    // It is told what changes (`follow-messages.ts`).
    staleTime: Infinity,
  };
}

// DA2-013, DA2-014, ER2-003, IMM-014
function selectOwn(userId: string, cursor: string | null) {
  const own = supabase
    .from('messages')
    .select(LAST_ONES)
    .or(`sender_id.eq.${userId},receiver_id.eq.${userId}`);
  return cursor === null ? own : own.or(behind(cursor));
}

function selectFound(search: string, cursor: string | null) {
  const found = supabase.rpc('search_conversations', { q: search }).select(LAST_ONES);
  return cursor === null ? found : found.or(behind(cursor));
}

function behind(cursor: string): string {
  const [at, id] = JSON.parse(cursor) as [string, string];
  return `created_at.lt."${at}",and(created_at.eq."${at}",id.gt.${id})`;
}

/** What was written since then, newest first: at most so many. */
export function selectSince(userId: string, since: string, most: number) {
  return supabase
    .from('messages')
    .select(`*,${PEOPLE}`)
    .or(`sender_id.eq.${userId},receiver_id.eq.${userId}`)
    .gte('created_at', since)
    .order('created_at', { ascending: false })
    .order('id', { ascending: true })
    .limit(most);
}
