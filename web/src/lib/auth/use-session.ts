/**
 * The session as the library tells of it. The listener only stores it: it runs under the library's lock, where awaiting
 * another call would wait for itself. A session that was here before the page is shown to the service once, because
 * nothing else tells that it was ended elsewhere.
 */
import type { AuthChangeEvent, Session } from '@supabase/supabase-js';
import { useCallback, useEffect, useRef, useState } from 'react';
import { onClient } from './client-announcement';
import { hasStoredSession, loadClient, mayHaveSession } from './load-client';
import { isMarkedRecovery, markRecovery, unmarkRecovery } from './stored-session';
import { dropLostSession, isRevoking } from './session';
import { isDraftKey, removeKeys } from './storage-keys';

/** A service that is silent keeps nobody out of their own pages. */
const PATIENCE_MS = 4_000;

export interface SessionState {
  /** `undefined` until the library has looked into the storage and the URL; null at once where nothing can be found. */
  session: Session | null | undefined;
  /** Whether the service is being asked if a session from before is still one. */
  isChecking: boolean;
  isRecovering: boolean;
  endRecovery: () => void;
  /** From the deletion of the account until somebody signs in. */
  hasLeft: boolean;
  leave: () => void;
  /** From a sign-out until somebody signs in. */
  hasSignedOut: boolean;
  letGo: () => void;
}

/** `onOther` is told before somebody else is here, or nobody any more: what was read for the one before goes. */
export function useSession(onOther: () => void): SessionState {
  const [session, setSession] = useState<Session | null | undefined>(() =>
    mayHaveSession() ? undefined : null,
  );
  const [isRecovering, setRecovering] = useState(false);
  const [departure, setDeparture] = useState<'left' | 'signed-out' | null>(null);
  const [isChecking, check] = useCheck();
  const reader = useRef<string | undefined>(undefined);

  useClientSession((event, next, wasStored) => {
    // renewed on the way out: the sign-out that follows ends this one, too
    if (event === 'TOKEN_REFRESHED' && departure === 'signed-out') return;
    if (reader.current !== undefined && reader.current !== next?.user.id) onOther();
    reader.current = next?.user.id ?? reader.current;
    setSession(next);
    if (event === 'INITIAL_SESSION' && next && wasStored) check();
    forgetDrafts(event, next, wasStored);
    if (next) setDeparture(null);
    setRecovering(followRecovery(event, next));
  });

  const endRecovery = useCallback(() => {
    unmarkRecovery();
    setRecovering(false);
  }, []);
  const leave = useCallback(() => setDeparture('left'), []);
  const letGo = useCallback(() => {
    setDeparture('signed-out');
    setSession(null);
    setRecovering(false);
  }, []);
  const hasLeft = departure === 'left';
  const hasSignedOut = departure === 'signed-out';
  return { session, isChecking, isRecovering, endRecovery, hasLeft, leave, hasSignedOut, letGo };
}

type Listener = (event: AuthChangeEvent, next: Session | null, wasStored: boolean) => void;

function useClientSession(listener: Listener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    let unsubscribe: (() => void) | undefined;
    const wasStored = hasStoredSession();
    const stop = onClient(({ auth }) => {
      const { data } = auth.onAuthStateChange((event, next) => latest.current(event, next, wasStored));
      unsubscribe = () => data.subscription.unsubscribe();
    });
    if (mayHaveSession()) void loadClient();
    return () => {
      stop();
      unsubscribe?.();
    };
  }, []);
}

/** True while the service is asked, and no longer than somebody may be kept waiting. */
function useCheck(): [boolean, () => void] {
  const [isChecking, setChecking] = useState(false);
  const check = useCallback(() => {
    setChecking(true);
    const end = () => setChecking(false);
    const timer = setTimeout(end, PATIENCE_MS);
    void dropLostSession()
      .catch((error: unknown) => console.warn('Session could not be checked', error))
      .finally(() => {
        clearTimeout(timer);
        end();
      });
  }, []);
  return [isChecking, check];
}

/** Who left pressed no button: what they filled in goes with the session all the same. */
function forgetDrafts(event: AuthChangeEvent, next: Session | null, wasStored: boolean): void {
  const isLost = (event === 'INITIAL_SESSION' && wasStored) || (event === 'SIGNED_OUT' && !isRevoking());
  if (!next && isLost) removeKeys(isDraftKey);
}

/** Somebody who came by the link of a recovery mail stays that until a password is chosen, also after a reload. */
function followRecovery(event: AuthChangeEvent, next: Session | null): boolean {
  if (!next) {
    unmarkRecovery();
    return false;
  }
  if (event === 'PASSWORD_RECOVERY') markRecovery(next.user.id);
  return isMarkedRecovery(next.user.id);
}
