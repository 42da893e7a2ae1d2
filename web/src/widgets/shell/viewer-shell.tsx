/** Pages open to both kinds of account stand in the frame of whoever looks at them. */
import type { ReactNode } from 'react';
import { useAuth } from '@/lib/auth/auth-context';
import { AgentShell } from './agent-shell';
import { ImporterShell } from './importer-shell';

export function ViewerShell({ children }: { children: ReactNode }) {
  const type = useAuth().profile?.user_type;
  if (type === 'agent') return <AgentShell>{children}</AgentShell>;
  if (type === 'importer') return <ImporterShell>{children}</ImporterShell>;
  return <main className="container-page py-8">{children}</main>;
}
