import { Outlet } from 'react-router-dom';
import { decideAccess } from '@/app/guards/access';
import { Gate } from '@/app/guards/gate';
import { AgentShell } from '@/app/shell/agent-shell';
import { useAuth } from '@/lib/auth/auth-context';

export default function AgentLayout() {
  return (
    <Gate access={decideAccess(useAuth(), 'agent')}>
      <AgentShell>
        <Outlet />
      </AgentShell>
    </Gate>
  );
}
