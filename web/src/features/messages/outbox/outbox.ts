/**
 * Messages that were written and have not arrived yet, in the order they were written. They are kept in the browser per
 * person, so that a reload, a closed tab or a lost line loses none; other tabs see the same.
 */

export interface OutgoingMessage {
  id: string;
  receiverId: string;
  content: string;
  writtenAt: string;
  /** Being sent by the field it was written in; waiting for the line; or refused. */
  state: 'sending' | 'waiting' | 'failed';
  /** Why it was refused. */
  reason?: string | undefined;
}

const EMPTY: OutgoingMessage[] = [];
const listeners = new Set<() => void>();
/** Where the browser keeps nothing, it is kept as long as the page is open. */
const memory = new Map<string, string>();
const parsed = new Map<string, { raw: string; messages: OutgoingMessage[] }>();

const keyOf = (userId: string) => `minato-outbox:${userId}`;

/** The same list as long as nothing changes. */
export function outgoing(userId: string): OutgoingMessage[] {
  const key = keyOf(userId);
  const raw = memory.get(key) ?? localStorage.getItem(key);
  if (raw === null) return EMPTY;
  const known = parsed.get(key);
  if (known?.raw === raw) return known.messages;
  const messages = parse(raw);
  parsed.set(key, { raw, messages });
  return messages;
}

function parse(raw: string): OutgoingMessage[] {
  try {
    const kept: unknown = JSON.parse(raw);
    return Array.isArray(kept) && kept.every(isOutgoing) ? kept : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** What an older release kept may have another form. Checked by hand: this is in every shell, schemas are not. */
function isOutgoing(kept: unknown): kept is OutgoingMessage {
  const { id, receiverId, content, writtenAt, state } = (kept ?? {}) as Partial<Record<string, unknown>>;
  const isText = [id, receiverId, content, writtenAt].every((field) => typeof field === 'string');
  return isText && (state === 'sending' || state === 'waiting' || state === 'failed');
}

export function addOutgoing(userId: string, message: OutgoingMessage): void {
  save(userId, [...outgoing(userId), message]);
}

export function removeOutgoing(userId: string, id: string): void {
  save(
    userId,
    outgoing(userId).filter((message) => message.id !== id),
  );
}

export function changeOutgoing(
  userId: string,
  isMeant: (message: OutgoingMessage) => boolean,
  change: Pick<OutgoingMessage, 'state' | 'reason'>,
): void {
  const messages = outgoing(userId);
  if (!messages.some(isMeant)) return;
  save(
    userId,
    messages.map((message) => (isMeant(message) ? { ...message, ...change } : message)),
  );
}

function save(userId: string, messages: OutgoingMessage[]): void {
  const key = keyOf(userId);
  try {
    if (messages.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(messages));
    memory.delete(key);
  } catch {
    memory.set(key, JSON.stringify(messages));
  }
  listeners.forEach((listener) => listener());
}

export function onOutgoingChange(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
