import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { LoadingScreen } from '@/components/loading-screen';
import { paths } from '@/config/paths';
import { useAuth } from '@/lib/auth/auth-context';
import type { Access } from './access';

interface GateProps {
  access: Access;
  waitingText?: string;
  children: ReactNode;
}

const doors: readonly string[] = [paths.auth, paths.agent.signIn, paths.importer.signIn];

// AGL-014
export function Gate({ access, waitingText, children }: GateProps) {
  const { pathname, search, hash } = useLocation();
  const { user, hasSignedOut } = useAuth();
  if (access.kind === 'wait') return <LoadingScreen {...(waitingText && { text: waitingText })} />;
  if (access.kind === 'show') return children;
  // A page that was asked for waits behind the door; one that was left by a sign-out does not.
  const from = doors.includes(access.to) && !user && !hasSignedOut ? pathname + search + hash : undefined;
  return <Navigate to={access.to} replace state={from && { from }} />;
}
