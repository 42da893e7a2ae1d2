/** Every message the person wrote or received, newest first, with both sides. */
import { errors } from '@/copy/errors';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { messageKeys } from './keys';

const SELECT = `*,
  sender:profiles!messages_sender_id_fkey(full_name,avatar_url,country),
  receiver:profiles!messages_receiver_id_fkey(full_name,avatar_url,country)` as const;

function selectMessages(userId: string, signal: AbortSignal, options: PartOptions) {
  return supabase
    .from('messages')
    .select(SELECT, options)
    .or(`sender_id.eq.${userId},receiver_id.eq.${userId}`)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type MessageWithPeople = NonNullable<Awaited<ReturnType<typeof selectMessages>>['data']>[number];

// DA2-013, DA2-014, ER2-003
/** Conversations are made of these: of a part of them the quiet ones would be missing. */
export function messagesQueryOptions(userId: string) {
  return longListOptions(messageKeys.own(userId), (signal): LongRead<MessageWithPeople> => ({
    ask: (options) => selectMessages(userId, signal, options),
    by: 'created_at',
    id: 'id',
    fallback: errors.fetch.messages,
  }));
}
