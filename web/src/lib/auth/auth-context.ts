/** Who is signed in. `loading` falls only after the session and the profile were both looked at. */
import type { Session, User } from '@supabase/supabase-js';
import { createContext, useContext } from 'react';
import type { Tables as Row } from '@/lib/database.types';

export type Profile = Row<'profiles'>;

export interface Auth {
  user: User | null;
  session: Session | null;
  profile: Profile | null;
  loading: boolean;
  /** Deleted the account just now. */
  hasLeft: boolean;
  /** Signed out by a press just now: where the person was is nobody's business any more. */
  hasSignedOut?: boolean;
  /** Came by the link of a recovery mail and has not chosen a new password yet. */
  isRecovering: boolean;
  endRecovery: () => void;
  /** Reads the profile again; used where it may have appeared in the meantime. */
  reloadProfile: () => void;
  /** Ends every session of the person and goes to /auth, or stays where the page's own guard knows another door. */
  signOut: (options?: { stay: boolean }) => Promise<void>;
  /** Lets go of a person whose account is no more; the guard of the page leads home. */
  forget: () => Promise<void>;
}

export const AuthContext = createContext<Auth | null>(null);

export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth needs an AuthProvider above it.');
  return auth;
}

/** The signed-in person inside a guarded area, where both are known to be there. */
export function useSignedIn(): { user: User; profile: Profile } {
  const { user, profile } = useAuth();
  if (!user || !profile) throw new Error('useSignedIn belongs inside a guarded area.');
  return { user, profile };
}

const SUSPENDED = 'suspended';

/** Whether a member is suspended, as the profile says. */
export function isSuspended(profile: { status: string } | null | undefined): boolean {
  return profile?.status === SUSPENDED;
}

/** Whether the person who looks is suspended: then nothing can be written. Nobody is, outside the areas of members. */
export function useIsSuspended(): boolean {
  return isSuspended(useContext(AuthContext)?.profile);
}
