/** Mails and text messages of a branch, as `/_dev/v1/messages` has them. */
import { queryOptions } from '@tanstack/react-query';
import { call, type BranchId } from '../../dev/api';
import type { DevEvent } from '../../dev/types';

export interface Message {
  id: string;
  channel: 'email' | 'sms' | 'whatsapp';
  to: string;
  from: string | null;
  subject: string | null;
  type: string;
  link: string | null;
  code: string | null;
  text: string;
  html: string | null;
  created_at: string;
}

export const messageKeys = {
  all: (branch: BranchId) => ['messages', branch] as const,
  templates: (branch: BranchId) => ['mail-templates', branch] as const,
};

/** Newest first. */
export function messagesQuery(branch: BranchId) {
  return queryOptions({
    queryKey: messageKeys.all(branch),
    queryFn: ({ signal }) => call<Message[]>(branch, '/messages', { signal }),
  });
}

export function templatesQuery(branch: BranchId) {
  return queryOptions({
    queryKey: messageKeys.templates(branch),
    queryFn: async ({ signal }) =>
      (await call<{ templates: string[] }>(branch, '/mail-templates', { signal })).templates,
    staleTime: Infinity,
  });
}

/** What a line of the list is called by. */
export function titleOf({ subject, text }: Message): string {
  return subject ?? text.trim().split('\n', 1)[0] ?? '';
}

/** Whether each of the words is in the address, the title, the kind or the channel. */
export function hasWords(message: Message, words: string): boolean {
  const shown = `${message.to} ${titleOf(message)} ${message.type} ${message.channel}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => shown.includes(word));
}

/** The request that the message was sent for, as far as the journal still knows. */
export function causeOf(message: Message, events: readonly DevEvent[]): string | null {
  const sent = events.find(({ kind, data }) => kind === 'message' && data.message_id === message.id);
  return sent?.cause && events.some(({ kind, id }) => kind === 'request' && id === sent.cause)
    ? sent.cause
    : null;
}

/** The time of day, and the day where it is another one than that of `now`. */
export function momentText(iso: string, now: Date): string {
  const moment = new Date(iso);
  const time = moment.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  return moment.toDateString() === now.toDateString() ? time : `${moment.toLocaleDateString()} ${time}`;
}
