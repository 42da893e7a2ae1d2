/** Calls on the session itself. Their failures never stop the person, so they are only logged. */
import { isKeptDraftKey } from '../drafts';
import { loadClient } from './client-announcement';
import { isPersonalKey, removeKeys } from './storage-keys';

/** The service first: without the stored token the library would send no logout, and the session would live on. */
export async function endAllSessions(): Promise<void> {
  await revokeAllSessions();
  await forgetSession();
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
    const supabase = await loadClient();
    const { error } = await supabase.auth.signOut({ scope: 'global' });
    if (error) console.warn('Sign-out failed', error.message);
  } catch (error) {
    console.warn('Sign-out failed', error);
  } finally {
    revocations -= 1;
  }
}

/**
 * The library lets go of a session only when it asks for the user and is told `session_not_found`; an unreachable
 * service leaves the session as it is. Whether there is none now.
 */
export async function dropLostSession(): Promise<boolean> {
  const supabase = await loadClient();
  await supabase.auth.getUser();
  const { data } = await supabase.auth.getSession();
  return data.session === null;
}
