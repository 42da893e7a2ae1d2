import type { ReactNode } from 'react';
import { Outlet } from 'react-router-dom';
import { AgentShell } from '@/widgets/shell/agent-shell';
import { ImporterShell } from '@/widgets/shell/importer-shell';
import { useAuth } from '@/lib/auth/auth-context';
import { decideAccess } from './access';
import { Gate } from './gate';

export default function SignedInGuard() {
  return (
    <Gate access={decideAccess(useAuth(), null)}>
      <ViewerShell>
        <Outlet />
      </ViewerShell>
    </Gate>
  );
}

/** Pages open to both kinds of account stand in the frame of whoever looks at them. */
function ViewerShell({ children }: { children: ReactNode }) {
  const type = useAuth().profile?.user_type;
  if (type === 'agent') return <AgentShell>{children}</AgentShell>;
  if (type === 'importer') return <ImporterShell>{children}</ImporterShell>;
  return <main className="container-page py-8">{children}</main>;
}
