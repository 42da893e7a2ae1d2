import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { LoadingScreen } from '@/components/loading-screen';
import type { Access } from './access';

interface GateProps {
  access: Access;
  waitingText?: string;
  children: ReactNode;
}

// AGL-014
export function Gate({ access, waitingText, children }: GateProps) {
  if (access.kind === 'wait') return <LoadingScreen {...(waitingText && { text: waitingText })} />;
  if (access.kind === 'go') return <Navigate to={access.to} replace />;
  return children;
}
