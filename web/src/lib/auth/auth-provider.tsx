/**
 * Holds the session and reads the profile that belongs to it. The listener only stores the session: it runs under
 * the library's lock, where awaiting another call would wait for itself. The profile follows the user's id, so a
 * refreshed token reads nothing again.
 */
import type { Session } from '@supabase/supabase-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { AuthContext, type Auth } from './auth-context';
import { ownProfileQueryOptions } from './profile-query';
import { onClient } from './client-announcement';
import { hasStoredSession, loadClient, mayHaveSession } from './load-client';
import { endAllSessions, forgetSession, isRevoking } from './session';
import { isDraftKey, removeKeys } from './storage-keys';

interface AuthProviderProps {
  children: ReactNode;
  /** Where a person who signed out goes. */
  onSignedOut: () => void;
}

export function AuthProvider({ children, onSignedOut }: AuthProviderProps) {
  const queryClient = useQueryClient();
  const { session, isRecovering, endRecovery, hasLeft, leave } = useSession();
  const user = session?.user ?? null;
  const { data: profile, isLoading, error, refetch } = useQuery(ownProfileQueryOptions(user?.id));

  useEffect(() => {
    if (error) console.warn('Profile could not be read', error.message);
  }, [error]);

  const signOut = useCallback(async () => {
    await endAllSessions();
    queryClient.clear();
    onSignedOut();
  }, [queryClient, onSignedOut]);

  const forget = useCallback(async () => {
    leave();
    await forgetSession();
    queryClient.clear();
  }, [queryClient, leave]);

  const auth = useMemo<Auth>(
    () => ({
      user,
      session: session ?? null,
      profile: profile ?? null,
      loading: session === undefined || isLoading,
      hasLeft,
      isRecovering,
      endRecovery,
      reloadProfile: () => void refetch(),
      signOut,
      forget,
    }),
    [user, session, profile, isLoading, hasLeft, isRecovering, endRecovery, refetch, signOut, forget],
  );
  return <AuthContext value={auth}>{children}</AuthContext>;
}

interface SessionState {
  /** `undefined` until the library has looked into the storage and the URL; null at once where nothing can be found. */
  session: Session | null | undefined;
  isRecovering: boolean;
  endRecovery: () => void;
  /** From the deletion of the account until somebody signs in. */
  hasLeft: boolean;
  leave: () => void;
}

function useSession(): SessionState {
  const [session, setSession] = useState<Session | null | undefined>(() =>
    mayHaveSession() ? undefined : null,
  );
  const [isRecovering, setRecovering] = useState(false);
  const [hasLeft, setLeft] = useState(false);
  useEffect(() => {
    let unsubscribe: (() => void) | undefined;
    const wasStored = hasStoredSession();
    const stop = onClient(({ auth }) => {
      const { data } = auth.onAuthStateChange((event, next) => {
        setSession(next);
        // Who left pressed no button: what they filled in goes with the session all the same.
        const isLost =
          (event === 'INITIAL_SESSION' && wasStored) || (event === 'SIGNED_OUT' && !isRevoking());
        if (!next && isLost) removeKeys(isDraftKey);
        if (next) setLeft(false);
        if (event === 'PASSWORD_RECOVERY' || !next) setRecovering(next !== null);
      });
      unsubscribe = () => data.subscription.unsubscribe();
    });
    if (mayHaveSession()) void loadClient();
    return () => {
      stop();
      unsubscribe?.();
    };
  }, []);
  const endRecovery = useCallback(() => setRecovering(false), []);
  const leave = useCallback(() => setLeft(true), []);
  return { session, isRecovering, endRecovery, hasLeft, leave };
}
