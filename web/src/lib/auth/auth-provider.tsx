/** Holds the session and reads the profile that belongs to it: it follows the user's id, so a refreshed token reads nothing again. */
import type { User } from '@supabase/supabase-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { env } from '@/config/env';
import { isAdmin } from './administrator';
import { AuthContext, type Auth } from './auth-context';
import { ownProfileQueryOptions } from './profile-query';
import { endAllSessions, forgetSession } from './session';
import { useSession } from './use-session';

interface AuthProviderProps {
  children: ReactNode;
  /** Where a person who signed out goes. */
  onSignedOut: () => void;
}

export function AuthProvider({ children, onSignedOut }: AuthProviderProps) {
  const queryClient = useQueryClient();
  const { session, isChecking, isRecovering, endRecovery, hasLeft, leave, hasSignedOut, letGo } = useSession(
    useCallback(() => queryClient.clear(), [queryClient]),
  );
  const turn = useTurn(session?.user.id);
  const user = session?.user ?? null;
  const { data: profile, isLoading, error, refetch } = useQuery(ownProfileQueryOptions(memberId(user)));

  useEffect(() => {
    if (error) console.warn('Profile could not be read', error.message);
  }, [error]);

  const signOut = useCallback<Auth['signOut']>(
    async ({ stay } = { stay: false }) => {
      letGo();
      queryClient.clear();
      if (!stay) onSignedOut();
      await endAllSessions();
    },
    [queryClient, onSignedOut, letGo],
  );

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
      loading: session === undefined || isLoading || isChecking,
      hasLeft,
      hasSignedOut,
      isRecovering,
      endRecovery,
      reloadProfile: () => void refetch(),
      signOut,
      forget,
    }),
    [
      user,
      session,
      profile,
      isLoading,
      isChecking,
      hasLeft,
      hasSignedOut,
      isRecovering,
      endRecovery,
      refetch,
      signOut,
      forget,
    ],
  );
  return (
    <AuthContext value={auth}>
      <Fragment key={turn}>{children}</Fragment>
    </AuthContext>
  );
}

/**
 * Counts how often one person followed another at once, as it happens when another tab signs out and in: what the page
 * has in its fields and memory goes with the one before.
 */
function useTurn(userId: string | undefined): number {
  const [reader, setReader] = useState({ userId, turn: 0 });
  if (reader.userId === userId) return reader.turn;
  const isOther = reader.userId !== undefined && userId !== undefined;
  const turn = reader.turn + (isOther ? 1 : 0);
  setReader({ userId, turn });
  return turn;
}

/** The administrator has no profile, so none is asked for. */
function memberId(user: User | null): string | undefined {
  const isAdministrator = user?.app_metadata.role === 'admin' && isAdmin(user.email, env.adminEmail);
  return isAdministrator ? undefined : user?.id;
}
