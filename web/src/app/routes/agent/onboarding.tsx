/** One of the two screens, for whoever opens it: a new agent, one who waits, one who is done, or a guest. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { LoadingScreen } from '@/components/loading-screen';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { onboarding } from '@/copy/onboarding';
import { readAgentData } from '@/features/onboarding/agent-data';
import { OnboardingForm } from '@/features/onboarding/components/onboarding-form';
import { OnboardingPage } from '@/features/onboarding/components/onboarding-page';
import { VerificationNews } from '@/features/onboarding/components/verification-news';
import {
  submissionQueryOptions,
  type VerificationRecord,
} from '@/features/onboarding/data/verification-query';
import type { OnboardingValues } from '@/features/onboarding/schema';
import { useAuth, type Profile } from '@/lib/auth/auth-context';
import { useNavigate } from '@/lib/navigation/use-navigate';

type Screen = 'profileCompletion' | 'payment';

export default function OnboardingScreen({ screen }: { screen: Screen }) {
  const { user, profile, loading } = useAuth();
  const agent = profile?.user_type === 'agent' ? profile : null;
  const agentId = agent?.user_id;
  const submission = useQuery({ ...submissionQueryOptions(agentId ?? ''), enabled: agentId !== undefined });
  if (loading || (agent && submission.isPending)) return <LoadingScreen />;
  const { title, lead } = onboarding[screen];
  return (
    <OnboardingPage title={title} lead={lead}>
      {agent && agent.verification_status !== 'verified' && <VerificationNews agentId={agent.user_id} />}
      {agent?.verification_status === 'verified' ? (
        <AlreadyVerified />
      ) : (
        <>
          <Standing agent={agent} isSignedIn={user !== null} />
          <OpenForm screen={screen} agent={agent} submission={submission.data ?? null} />
        </>
      )}
    </OnboardingPage>
  );
}

interface OpenFormProps {
  screen: Screen;
  agent: Profile | null;
  submission: VerificationRecord | null;
}

function OpenForm({ screen, agent, submission }: OpenFormProps) {
  const { reloadProfile } = useAuth();
  const navigate = useNavigate();
  const [initial] = useState(() => initialValues(agent, submission));
  const onDone = () => {
    if (agent) reloadProfile();
    navigate(paths.agent.dashboard);
  };
  return (
    <>
      <OnboardingForm
        screen={screen}
        agentId={agent?.user_id ?? null}
        submission={submission}
        initial={initial}
        onDone={onDone}
      />
      <OtherScreen screen={screen} />
    </>
  );
}

function AlreadyVerified() {
  return (
    <div className="space-y-6">
      <Alert tone="info" text={onboarding.state.verified} />
      <Button asChild>
        <Link to={paths.agent.dashboard}>{onboarding.state.dashboard}</Link>
      </Button>
    </div>
  );
}

/** What becomes of the submission, where that is not the usual. */
function Standing({ agent, isSignedIn }: { agent: Profile | null; isSignedIn: boolean }) {
  if (agent && agent.verification_status !== 'pending') return null;
  return (
    <div className="mb-6">
      {agent ? (
        <Alert tone="info" text={onboarding.state.pending} />
      ) : (
        <Alert
          tone="info"
          text={isSignedIn ? onboarding.state.otherKind : onboarding.state.guest}
          action={<TextLink to={paths.agent.signIn}>{onboarding.state.signIn}</TextLink>}
        />
      )}
    </div>
  );
}

function OtherScreen({ screen }: { screen: Screen }) {
  const to = screen === 'payment' ? paths.agent.profileCompletion : paths.agent.payment;
  return (
    <p className="mt-6 text-muted-foreground">
      {onboarding[screen].other} <TextLink to={to}>{onboarding[screen].otherLink}</TextLink>
    </p>
  );
}

function TextLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="font-semibold text-primary underline underline-offset-4 hover:decoration-2">
      {children}
    </Link>
  );
}

/** The profile's own values; where it has none, what this browser kept of an earlier try. */
function initialValues(agent: Profile | null, submission: VerificationRecord | null): OnboardingValues {
  const kept = readAgentData();
  const method = submission?.payment_method;
  return {
    bio: agent?.bio || kept?.bio || '',
    companyName: agent?.company_name || kept?.companyName || '',
    experience: agent?.experience || kept?.experience || '',
    languages: agent?.languages_spoken?.join(', ') || kept?.languages || '',
    method: method === 'bank' || method === 'card' ? method : 'easypaisa',
    isPaid: false,
    transaction: '',
  };
}
