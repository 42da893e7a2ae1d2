import { Outlet } from 'react-router-dom';
import { decideAccess } from '@/app/guards/access';
import { Gate } from '@/app/guards/gate';
import { AgentShell } from '@/app/shell/agent-shell';
import { VerificationNews } from '@/features/onboarding/components/verification-news';
import { useAuth } from '@/lib/auth/auth-context';

export default function AgentLayout() {
  const auth = useAuth();
  const { profile } = auth;
  return (
    <Gate access={decideAccess(auth, 'agent')}>
      <AgentShell>
        {profile && profile.verification_status !== 'verified' && (
          <VerificationNews agentId={profile.user_id} />
        )}
        <Outlet />
      </AgentShell>
    </Gate>
  );
}
