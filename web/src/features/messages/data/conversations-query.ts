/** The last message of each conversation, newest first, with both sides, a page at a time. The service searches. */
import { errors } from '@/copy/errors';
import { functionPages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import { conversationOf, type Conversation, type SummarizedMessage } from '../conversations';
import { messageKeys } from './keys';

const PAGE = 50;
const PEOPLE = `sender:profiles!messages_sender_id_fkey(full_name,avatar_url,country),
  receiver:profiles!messages_receiver_id_fkey(full_name,avatar_url,country)` as const;
/**
 * The embedded row is there for the last message of a conversation alone. Its time and id are the message's: ordered and
 * continued by them, the read follows the member's conversations and ends with the page.
 */
const LAST_ONES = `*,${PEOPLE},conversation!inner(unread,last_at,last_message_id)` as const;

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
        const found = search === '' ? selectOwn(userId) : selectFound(search);
        const answer = await (cursor === null ? found : behind(found, cursor))
          .order('conversation(last_at)', { ascending: false })
          .order('conversation(last_message_id)', { ascending: true })
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
function selectOwn(userId: string) {
  return supabase.from('messages').select(LAST_ONES).or(`sender_id.eq.${userId},receiver_id.eq.${userId}`);
}

function selectFound(search: string) {
  return supabase.rpc('search_conversations', { q: search }).select(LAST_ONES);
}

interface Continued<Read> {
  lte: (column: string, value: string) => Continued<Read>;
  or: (filters: string, options: { referencedTable: string }) => Read;
}

/** The bare limit lets the index begin at the place; the other filter tells those of the same instant apart. */
function behind<Read extends Continued<Read>>(read: Read, cursor: string): Read {
  const [at, id] = JSON.parse(cursor) as [string, string];
  return read
    .lte('conversation.last_at', at)
    .or(`last_at.lt."${at}",and(last_at.eq."${at}",last_message_id.gt.${id})`, {
      referencedTable: 'conversation',
    });
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
