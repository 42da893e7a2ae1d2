/** One message on its way. It brings its id: what is sent a second time is refused by its key, and so has arrived. */
import { messages } from '@/copy/messages';
import { ConflictError, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

interface NewMessage {
  id: string;
  receiverId: string;
  content: string;
}

/** After it the line counts as away; the message is kept and tried again. */
const PATIENCE_MS = 30_000;

// IMM-012
export async function insertMessage(
  senderId: string,
  { id, receiverId, content }: NewMessage,
): Promise<void> {
  const { error, status } = await supabase
    .from('messages')
    .insert({ id, sender_id: senderId, receiver_id: receiverId, content })
    .abortSignal(AbortSignal.timeout(PATIENCE_MS));
  if (!error) return;
  const failure = toAppError(error, messages.failed.text, status);
  if (!(failure instanceof ConflictError)) throw failure;
}
