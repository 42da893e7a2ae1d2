/**
 * A conversation goes by the user id of whoever is on the other side. Who has left has none any more: their conversations
 * go by a number of their own, so that several who left stay apart. Which one is open stands in the address: `?agent=` or `?importer=`.
 */
import { isUuid } from '@/lib/ids';

const GONE = 'gone-';

export function departedKey(conversationId: string): string {
  return `${GONE}${conversationId}`;
}

/** The number of a conversation with somebody who has left; null for one with somebody who is here. */
export function departedIn(key: string): string | null {
  return key.startsWith(GONE) ? key.slice(GONE.length) : null;
}

/** What the conversation goes by; undefined is nobody. */
export function readCounterpart(value: string | null): string | undefined {
  if (value === null) return undefined;
  return isUuid(value) || isUuid(departedIn(value)) ? value : undefined;
}

export function writeCounterpart(param: string, key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { [param]: key };
}
