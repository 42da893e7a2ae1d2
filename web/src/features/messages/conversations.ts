/** A conversation as its list shows it: its last message, seen from one of the two sides. */
import { messages as copy } from '@/copy/messages';
import { countryName } from '@/lib/country';
import { departedKey } from './counterpart';

interface MessagePerson {
  full_name: string | null;
  avatar_url: string | null;
  country: string | null;
}

export interface SummarizedMessage {
  id: string;
  sender_id: string | null;
  receiver_id: string | null;
  content: string;
  is_read: boolean;
  created_at: string;
  conversation_id: string;
  sender: MessagePerson | null;
  receiver: MessagePerson | null;
}

export interface Counterpart {
  /** What the conversation goes by. */
  key: string;
  /** Null once the person has left. */
  id: string | null;
  name: string;
  country: string;
  avatarUrl: string | null;
}

/** Somebody who is still a member. */
export type PresentCounterpart = Counterpart & { id: string };

export function isPresent(counterpart: Counterpart): counterpart is PresentCounterpart {
  return counterpart.id !== null;
}

export interface Conversation {
  /** Its number, the same for both sides. */
  id: string;
  lastId: string;
  /** Where the next page of a list would begin behind it. */
  cursor: string;
  counterpart: Counterpart;
  lastMessage: string;
  isOwn: boolean;
  date: string;
  isUnread: boolean;
}

// IMM-015..IMM-018
export function conversationOf(message: SummarizedMessage, userId: string, isUnread: boolean): Conversation {
  const counterpart = counterpartOf(message, userId);
  return {
    id: message.conversation_id,
    lastId: message.id,
    cursor: JSON.stringify([message.created_at, message.id]),
    counterpart,
    lastMessage: message.content,
    isOwn: message.sender_id === userId,
    date: message.created_at,
    isUnread,
  };
}

/** What the conversation of a message goes by. */
export function keyOfMessage(
  message: Pick<SummarizedMessage, 'sender_id' | 'receiver_id' | 'conversation_id'>,
  userId: string,
): string {
  const other = message.sender_id === userId ? message.receiver_id : message.sender_id;
  return other ?? departedKey(message.conversation_id);
}

function counterpartOf(message: SummarizedMessage, userId: string): Counterpart {
  const isSender = message.sender_id === userId;
  return toCounterpart(
    isSender ? message.receiver_id : message.sender_id,
    isSender ? message.receiver : message.sender,
    message.conversation_id,
  );
}

export function toCounterpart(
  id: string | null,
  person: MessagePerson | null | undefined,
  conversationId = '',
): Counterpart {
  return {
    key: id ?? departedKey(conversationId),
    id,
    name: person?.full_name ?? copy.unknownUser,
    country: countryName(person?.country) || copy.unknownCountry,
    avatarUrl: person?.avatar_url ?? null,
  };
}
