import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { decideAccess } from '@/app/guards/access';
import { Gate } from '@/app/guards/gate';
import { AgentShell } from '@/widgets/shell/agent-shell';
import { ErrorBoundary } from '@/components/error-boundary';
import { useAuth } from '@/lib/auth/auth-context';

/** Nothing to see at first, so the screen does not wait for it. */
const VerificationNews = lazy(() =>
  import('@/features/onboarding/components/verification-news').then((module) => ({
    default: module.VerificationNews,
  })),
);

export default function AgentLayout() {
  const auth = useAuth();
  const { profile } = auth;
  return (
    <Gate access={decideAccess(auth, 'agent')}>
      <AgentShell>
        {profile && profile.verification_status !== 'verified' && (
          <ErrorBoundary fallback={() => null}>
            <Suspense>
              <VerificationNews agentId={profile.user_id} />
            </Suspense>
          </ErrorBoundary>
        )}
        <Outlet />
      </AgentShell>
    </Gate>
  );
}
