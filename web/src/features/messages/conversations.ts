/** Conversations are not stored: they are the messages of a person, grouped by whoever is on the other side. */
import { messages as copy } from '@/copy/messages';
import { countryName } from '@/lib/country';
import { departedKey } from './counterpart';

interface MessagePerson {
  full_name: string | null;
  avatar_url: string | null;
  country: string | null;
}

export interface SummarizedMessage {
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
  counterpart: Counterpart;
  lastMessage: string;
  isOwn: boolean;
  date: string;
  isUnread: boolean;
}

// IMM-016..IMM-018
/** Takes messages newest first and keeps that order: the latest conversation leads. */
export function conversationsOf(messages: readonly SummarizedMessage[], userId: string): Conversation[] {
  const byCounterpart = new Map<string, Conversation>();
  for (const message of messages) {
    const counterpart = counterpartOf(message, userId);
    const isUnread = message.receiver_id === userId && !message.is_read;
    const known = byCounterpart.get(counterpart.key);
    if (known) known.isUnread ||= isUnread;
    else byCounterpart.set(counterpart.key, summary(message, counterpart, isUnread));
  }
  return [...byCounterpart.values()];
}

function summary(message: SummarizedMessage, counterpart: Counterpart, isUnread: boolean): Conversation {
  return {
    counterpart,
    lastMessage: message.content,
    isOwn: message.receiver_id === counterpart.id,
    date: message.created_at,
    isUnread,
  };
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

export function searchConversations(conversations: readonly Conversation[], text: string): Conversation[] {
  const wanted = text.trim().toLowerCase();
  return conversations.filter(({ counterpart, lastMessage }) =>
    [counterpart.name, lastMessage].some((field) => field.toLowerCase().includes(wanted)),
  );
}
