/**
 * Sends what waits, one after the other in the order it was written. The line being away stops it until the next try; a
 * refusal is kept with its message. What arrived before, though its answer did not, is known by its id.
 */
import { newId } from '@/lib/ids';
import { messageOf, NotAuthenticatedError, UnreachableError } from '@/lib/errors';
import { messages as copy } from '@/copy/messages';
import { insertMessage } from '../data/message-insert';
import { addOutgoing, changeOutgoing, outgoing, removeOutgoing, type OutgoingMessage } from './outbox';

/** The server's code for too many at once. */
const TOO_MANY = 'P0001';

const runs = new Map<string, Promise<number>>();

/** Sends until nothing waits or the line is away; how many arrived. */
export function deliver(userId: string): Promise<number> {
  const running = runs.get(userId);
  if (running) return running;
  const run = sendAll(userId).finally(() => runs.delete(userId));
  runs.set(userId, run);
  return run;
}

async function sendAll(userId: string): Promise<number> {
  let arrived = 0;
  for (let next = nextOf(userId); next; next = nextOf(userId)) {
    const result = await attempt(userId, next);
    if (result === 'away') return arrived;
    if (result === 'arrived') arrived += 1;
  }
  return arrived;
}

function nextOf(userId: string): OutgoingMessage | undefined {
  return outgoing(userId).find(({ state }) => state !== 'failed');
}

async function attempt(userId: string, message: OutgoingMessage): Promise<'arrived' | 'refused' | 'away'> {
  try {
    await insertMessage(userId, message);
  } catch (error) {
    if (mayComeLater(error, message)) {
      changeOutgoing(userId, isSending, { state: 'waiting' });
      return 'away';
    }
    changeOutgoing(userId, ({ id }) => id === message.id, refusal(error));
    return 'refused';
  }
  removeOutgoing(userId, message.id);
  return 'arrived';
}

const isSending = ({ state }: OutgoingMessage) => state === 'sending';

function refusal(error: unknown): Pick<OutgoingMessage, 'state' | 'reason'> {
  return { state: 'failed', reason: messageOf(error, copy.failed.text) };
}

/** Whoever waits already can wait for the server's patience too; what was just written is better told at once. */
function mayComeLater(error: unknown, { state }: OutgoingMessage): boolean {
  if (error instanceof UnreachableError || error instanceof NotAuthenticatedError) return true;
  return state === 'waiting' && (error as { code?: unknown }).code === TOO_MANY;
}

export interface Outcome {
  id: string;
  /** Why it was refused; nothing while it waits or after it arrived. */
  reason?: string | undefined;
  hasArrived: boolean;
}

/** Puts a message behind those that wait and tries to send it; it is kept before anything is asked of the line. */
export async function send(userId: string, receiverId: string, content: string): Promise<Outcome> {
  const id = newId();
  const state = navigator.onLine ? 'sending' : 'waiting';
  addOutgoing(userId, { id, receiverId, content, state, writtenAt: new Date().toISOString() });
  if (state === 'sending') await deliver(userId);
  const kept = outgoing(userId).find((message) => message.id === id);
  return { id, hasArrived: !kept, reason: kept?.reason };
}
