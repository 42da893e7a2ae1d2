import { useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { LoadingScreen } from '@/components/loading-screen';
import { Button } from '@/components/ui/button';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { paths } from '@/config/paths';
import { combined, emailVerification, recovery } from '@/copy/auth';
import { AccountPage } from '@/features/accounts/components/account-page';
import { CombinedSignInForm } from '@/features/accounts/components/combined-sign-in-form';
import { CombinedSignUpForm } from '@/features/accounts/components/combined-sign-up-form';
import { ConfirmByMail, SentTo } from '@/features/accounts/components/confirm-by-mail';
import { LinkFailure } from '@/features/accounts/components/link-failure';
import { NewPasswordForm } from '@/features/accounts/components/new-password-form';
import { pageAfterSignIn } from '@/features/accounts/sign-in-outcome';
import { prefillOf, type SignUpPrefill } from '@/features/accounts/sign-up-prefill';
import { useAuth } from '@/lib/auth/auth-context';
import { useNavigate } from '@/lib/navigation/use-navigate';

interface HandedOver {
  /** Fills the sign-up form in and opens it. */
  signup?: SignUpPrefill;
  /** An account was just made with this; kept in the history, so that a reload still says so. */
  registered?: SignUpPrefill;
  email?: string;
}

export default function AuthScreen() {
  const { user, loading, isRecovering, endRecovery, signOut } = useAuth();
  const [isSigningIn, setSigningIn] = useState(false);
  const { registered } = (useLocation().state ?? {}) as HandedOver;

  if (isRecovering) return <NewPassword onDone={endRecovery} onLeave={() => void signOut()} />;
  if (loading && !isSigningIn) return <LoadingScreen />;
  if (user && !isSigningIn) return <Navigate to={paths.home} replace />;
  if (registered) return <Registered signup={registered} />;
  return <Doors onBusy={setSigningIn} />;
}

/** The tab is the one the person chose, else the one the arrival is meant for. */
function Doors({ onBusy }: { onBusy: (isSigningIn: boolean) => void }) {
  const navigate = useNavigate();
  const location = useLocation();
  const state: unknown = location.state;
  const { signup, email = '' } = (state ?? {}) as HandedOver;
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') ?? (signup ? 'sign-up' : 'sign-in');
  return (
    <AccountPage title={combined.title} lead={combined.lead}>
      <LinkFailure email={email} />
      <Tabs value={tab} onValueChange={(next) => setParams({ tab: next }, { replace: true, state })}>
        <TabsList>
          <TabsTrigger value="sign-in">{combined.tabs.signIn}</TabsTrigger>
          <TabsTrigger value="sign-up">{combined.tabs.signUp}</TabsTrigger>
        </TabsList>
        <TabsContent value="sign-in">
          <CombinedSignInForm
            email={email}
            onStart={() => onBusy(true)}
            onFailed={() => onBusy(false)}
            onDone={(userType) => navigate(pageAfterSignIn(state, userType))}
          />
        </TabsContent>
        <TabsContent value="sign-up">
          <CombinedSignUpForm
            prefill={signup ?? {}}
            onDone={(account) => navigate(paths.auth, { state: { registered: prefillOf(account) } })}
          />
        </TabsContent>
      </Tabs>
    </AccountPage>
  );
}

function Registered({ signup }: { signup: SignUpPrefill }) {
  const { email = '' } = signup;
  const back = { to: paths.auth, replace: true, state: { signup } };
  return (
    <AccountPage title={combined.done.title} lead={combined.done.text}>
      <SentTo email={email} />
      <ConfirmByMail
        email={email}
        correction={
          <Button variant="link" size="inline" className="min-h-11 sm:min-h-6" asChild>
            <Link {...back}>{emailVerification.correct}</Link>
          </Button>
        }
      />
      <div className="mt-6 flex flex-col gap-3 sm:flex-row">
        <Button variant="secondary" asChild>
          <Link to={paths.auth} replace state={{ email }}>
            {emailVerification.signIn}
          </Link>
        </Button>
        <BackToSignUp signup={signup} />
      </div>
    </AccountPage>
  );
}

function BackToSignUp({ signup }: { signup: SignUpPrefill }) {
  const navigate = useNavigate();
  const goBack = () => navigate(paths.auth, { replace: true, state: { signup } });
  return (
    <Button variant="outline" onClick={goBack}>
      {combined.done.back}
    </Button>
  );
}

/** Afterwards the person is signed in, and this page sends signed-in people home. */
function NewPassword({ onDone, onLeave }: { onDone: () => void; onLeave: () => void }) {
  return (
    <AccountPage title={recovery.newTitle} lead={recovery.newLead}>
      <NewPasswordForm onDone={onDone} />
      <Button variant="link" size="inline" className="mt-5 min-h-11 sm:min-h-6" onClick={onLeave}>
        {recovery.leave}
      </Button>
    </AccountPage>
  );
}
