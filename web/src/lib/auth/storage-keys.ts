/** What sign-out, the combined sign-in and the landing page's 'Get Started' remove from the browser. */
const AUTH_PREFIX = 'supabase.auth.';
const SESSION_PART = 'sb-';
const DRAFT_PARTS = ['agentData', 'importerData', 'demo-'];

/** Sessions and drafts of a person; theme and the like stay. */
export function isPersonalKey(key: string): boolean {
  return key.startsWith(AUTH_PREFIX) || key.includes(SESSION_PART) || isDraftKey(key);
}

/** What a person filled in; the session itself is the library's to remove. */
export function isDraftKey(key: string): boolean {
  return DRAFT_PARTS.some((part) => key.includes(part));
}

/** What an earlier session left: it must not meet the next one. A filled-in agent form (`agentData`) stays. */
export function isStaleKey(key: string): boolean {
  return key.startsWith(AUTH_PREFIX) || key.includes(SESSION_PART) || key.startsWith('demo-');
}

/** Leftovers of a demonstration: `agentData` and `demo-…`. */
export function isDemoKey(key: string): boolean {
  return key.includes('agentData') || key.startsWith('demo-');
}

export function removeKeys(
  matches: (key: string) => boolean,
  storages = [localStorage, sessionStorage],
): void {
  for (const storage of storages) {
    for (const key of Object.keys(storage).filter(matches)) storage.removeItem(key);
  }
}
