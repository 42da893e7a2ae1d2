/** Who may see a protected area. The rules are tried in this order, and only once `loading` has fallen. */
import { dashboardPath, paths, signInPath, type UserType } from '@/config/paths';
import { isAdmin, missingStep } from '@/lib/auth/administrator';
import type { Auth } from '@/lib/auth/auth-context';

export type Access = { kind: 'wait' } | { kind: 'go'; to: string } | { kind: 'show' };

export type Identity = Pick<Auth, 'user' | 'profile' | 'loading'> &
  Partial<Pick<Auth, 'hasLeft' | 'session'>>;

// RT2-001, RT2-002
/** `required: null` admits every signed-in person (the public profiles). */
export function decideAccess(identity: Identity, required: UserType | null): Access {
  const { user, profile, loading, hasLeft } = identity;
  if (loading) return { kind: 'wait' };
  if (!user) return { kind: 'go', to: hasLeft ? paths.home : paths.auth };
  if (!user.email_confirmed_at) return { kind: 'go', to: signInPath(profile?.user_type) };
  if (required && profile?.user_type !== required) {
    return { kind: 'go', to: dashboardPath(profile?.user_type) ?? paths.auth };
  }
  return { kind: 'show' };
}

/** The administrator is one configured address; the server checks its own role besides. */
export function decideAdminAccess({ user, session, loading }: Identity, adminEmail: string): Access {
  if (loading) return { kind: 'wait' };
  const mayEnter = isAdmin(user?.email, adminEmail) && missingStep(session ?? null, adminEmail) === null;
  return mayEnter ? { kind: 'show' } : { kind: 'go', to: paths.admin.login };
}
