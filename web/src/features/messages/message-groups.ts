/** What one person wrote within one minute stands together, under one time. */
import { formatDay, formatTime } from '@/lib/format';
import type { Message } from './data/thread-query';

export interface MessageGroup {
  messages: [Message, ...Message[]];
  senderId: string | null;
  /** The day, where it differs from that of the group before. */
  day: string | null;
}

/** Takes messages oldest first. */
export function groupMessages(messages: readonly Message[]): MessageGroup[] {
  const groups: MessageGroup[] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (last && belongs(message, last)) last.messages.push(message);
    else groups.push(groupOf(message, last));
  }
  return groups;
}

function belongs(message: Message, { messages: [first], senderId }: MessageGroup): boolean {
  return message.sender_id === senderId && minuteOf(message) === minuteOf(first);
}

function groupOf(message: Message, before: MessageGroup | undefined): MessageGroup {
  const day = formatDay(message.created_at);
  const isSameDay = before !== undefined && formatDay(before.messages[0].created_at) === day;
  return { messages: [message], senderId: message.sender_id, day: isSameDay ? null : day };
}

function minuteOf({ created_at: written }: Message): string {
  return `${formatDay(written)} ${formatTime(written)}`;
}
