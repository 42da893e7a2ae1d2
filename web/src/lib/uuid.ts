const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Whether a part of the address can be an id at all; the service answers anything else with an error. */
export function isUuid(text: string | null | undefined): text is string {
  return typeof text === 'string' && UUID.test(text);
}
