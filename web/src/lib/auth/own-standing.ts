/** Whether a member is suspended, as the profile says. */
import { useContext } from 'react';
import { AuthContext } from './auth-context';

const SUSPENDED = 'suspended';

export function isSuspended(profile: { status: string } | null | undefined): boolean {
  return profile?.status === SUSPENDED;
}

/** Whether the person who looks is suspended: then nothing can be written. Nobody is, outside the areas of members. */
export function useIsSuspended(): boolean {
  return isSuspended(useContext(AuthContext)?.profile);
}
