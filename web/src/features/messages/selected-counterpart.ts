/** Which conversation is open stands in the address: `?agent=` or `?importer=` with a user id. */
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** Somebody who has left has no id. */
const GONE = 'unknown';

/** A user id, null for somebody who has left, undefined for nobody. */
export function readCounterpart(value: string | null): string | null | undefined {
  if (value === GONE) return null;
  return value !== null && UUID.test(value) ? value : undefined;
}

export function writeCounterpart(param: string, id: string | null | undefined): Record<string, string> {
  return id === undefined ? {} : { [param]: id ?? GONE };
}
