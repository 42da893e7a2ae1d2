/** Every message the person wrote or received, newest first, with both sides. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { readAll } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { messageKeys } from './keys';

const SELECT = `*,
  sender:profiles!messages_sender_id_fkey(full_name,avatar_url,country),
  receiver:profiles!messages_receiver_id_fkey(full_name,avatar_url,country)` as const;

function selectMessages(userId: string, signal: AbortSignal) {
  return supabase
    .from('messages')
    .select(SELECT, { count: 'exact' })
    .or(`sender_id.eq.${userId},receiver_id.eq.${userId}`)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type MessageWithPeople = NonNullable<Awaited<ReturnType<typeof selectMessages>>['data']>[number];

// DA2-013, DA2-014, ER2-003
export function messagesQueryOptions(userId: string) {
  return queryOptions({
    queryKey: messageKeys.own(userId),
    // Conversations are made of these: of a part of them the quiet ones would be missing.
    queryFn: ({ signal }) => readAll(() => selectMessages(userId, signal), errors.fetch.messages),
  });
}
