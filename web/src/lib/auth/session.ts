/** Calls on the session itself. Their failures never stop the person, so they are only logged. */
import { isKeptDraftKey } from '../drafts';
import { loadClient, loadPassingClient } from './load-client';
import { isPersonalKey, removeKeys } from './storage-keys';
import { hasExpired, storedSession, type StoredSession } from './stored-session';

/**
 * This browser lets go at once, whatever the service takes; the service hears of it with the token that was kept aside.
 * Resolves when it has answered.
 */
export async function endAllSessions(): Promise<void> {
  const stored = storedSession();
  const told = stored ? revokeKept(stored) : undefined;
  await forgetSession();
  await told;
}

let farewell: Promise<void> | undefined;

/** A sign-in that follows at once waits for it, or it would be revoked along with the rest. */
function revokeKept(stored: StoredSession): Promise<void> {
  farewell = tellService(stored).finally(() => (farewell = undefined));
  return farewell;
}

async function tellService(stored: StoredSession): Promise<void> {
  try {
    const { error } = await (hasExpired(stored) ? revokeRenewed(stored) : revokeToken(stored));
    if (error) console.warn('Sign-out failed', error.message);
  } catch (error) {
    console.warn('Sign-out failed', error);
  }
}

async function revokeToken({ access_token: token }: StoredSession) {
  return (await loadClient()).auth.admin.signOut(token, 'global');
}

/** A token that has run out opens nothing, not even the way out; it is renewed where this browser does not see it. */
async function revokeRenewed(stored: StoredSession) {
  const { withPassingClient } = await loadPassingClient();
  return withPassingClient(async (auth) => {
    await auth.setSession(stored);
    return auth.signOut({ scope: 'global' });
  });
}

/** Asks nothing of the service, which may know nobody to sign out: without a stored token the library only tells. */
export async function forgetSession(): Promise<void> {
  removeKeys((key) => isPersonalKey(key) || isKeptDraftKey(key));
  const supabase = await loadClient();
  await supabase.auth.signOut({ scope: 'local' });
  await supabase.removeAllChannels();
}

let revocations = 0;

/** Between the wish to end the session and its end; a session that ends at another moment is a lost one. */
export function isRevoking(): boolean {
  return revocations > 0;
}

/** Sign-up and sign-in start from a clean slate; that there may be nothing to sign out of is fine. */
export async function revokeAllSessions(): Promise<void> {
  revocations += 1;
  try {
    await farewell;
    const supabase = await loadClient();
    const { error } = await supabase.auth.signOut({ scope: 'global' });
    if (error) console.warn('Sign-out failed', error.message);
  } catch (error) {
    console.warn('Sign-out failed', error);
  } finally {
    revocations -= 1;
  }
}

/** What the service says of a session that nobody can use any more; the library lets go of the first by itself. */
const GONE = ['user_not_found', 'session_not_found'];

/**
 * The library lets go of a session only when it asks for the user and is told `session_not_found`; an unreachable
 * service leaves the session as it is. Whether there is none now.
 */
export async function dropLostSession(): Promise<boolean> {
  const supabase = await loadClient();
  const { error } = await supabase.auth.getUser();
  if (error?.code && GONE.includes(error.code)) await supabase.auth.signOut({ scope: 'local' });
  const { data } = await supabase.auth.getSession();
  return data.session === null;
}
