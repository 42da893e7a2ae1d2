/**
 * A conversation goes by the user id of whoever is on the other side. Who has left has none any more: their conversations
 * go by a number of their own, so that several who left stay apart.
 */
const GONE = 'gone-';

export function departedKey(conversationId: string): string {
  return `${GONE}${conversationId}`;
}

/** The number of a conversation with somebody who has left; null for one with somebody who is here. */
export function departedIn(key: string): string | null {
  return key.startsWith(GONE) ? key.slice(GONE.length) : null;
}
