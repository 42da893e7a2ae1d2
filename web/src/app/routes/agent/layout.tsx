import { Outlet } from 'react-router-dom';
import { decideAccess } from '@/app/guards/access';
import { Gate } from '@/app/guards/gate';
import { AgentShell } from '@/widgets/shell/agent-shell';
import { ErrorBoundary } from '@/components/error-boundary';
import { useLate } from '@/hooks/use-late';
import { useAuth } from '@/lib/auth/auth-context';
import { late } from '@/lib/late';

const news = late(() => import('@/features/onboarding/components/verification-news'));

/** Nothing to see at first, so the screen does not wait for it. */
function News({ agentId }: { agentId: string }) {
  const module = useLate(news);
  return module && <module.VerificationNews agentId={agentId} />;
}

export default function AgentLayout() {
  const auth = useAuth();
  const { profile } = auth;
  return (
    <Gate access={decideAccess(auth, 'agent')}>
      <AgentShell>
        {profile && profile.verification_status !== 'verified' && (
          <ErrorBoundary fallback={() => null}>
            <News agentId={profile.user_id} />
          </ErrorBoundary>
        )}
        <Outlet />
      </AgentShell>
    </Gate>
  );
}
