import { useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { LoadingScreen } from '@/components/loading-screen';
import { Button } from '@/components/ui/button';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { dashboardPath, paths } from '@/config/paths';
import { combined, recovery } from '@/copy/auth';
import { AccountPage } from '@/features/accounts/components/account-page';
import { CombinedSignInForm } from '@/features/accounts/components/combined-sign-in-form';
import { CombinedSignUpForm, type SignUpPrefill } from '@/features/accounts/components/combined-sign-up-form';
import { ForgotPassword } from '@/features/accounts/components/forgot-password';
import { NewPasswordForm } from '@/features/accounts/components/new-password-form';
import { useAuth } from '@/lib/auth/auth-context';

export default function AuthScreen() {
  const { user, loading, isRecovering, endRecovery } = useAuth();
  const navigate = useNavigate();
  const { signup } = (useLocation().state ?? {}) as { signup?: SignUpPrefill };
  const [isSigningIn, setSigningIn] = useState(false);
  const [isRegistered, setRegistered] = useState(false);

  if (isRecovering) return <NewPassword onDone={endRecovery} />;
  if (loading && !isSigningIn) return <LoadingScreen />;
  if (user && !isSigningIn) return <Navigate to={paths.home} replace />;
  if (isRegistered) return <Registered onBack={() => setRegistered(false)} />;

  return (
    <AccountPage title={combined.title}>
      <Tabs defaultValue={signup ? 'sign-up' : 'sign-in'}>
        <TabsList>
          <TabsTrigger value="sign-in">{combined.tabs.signIn}</TabsTrigger>
          <TabsTrigger value="sign-up">{combined.tabs.signUp}</TabsTrigger>
        </TabsList>
        <TabsContent value="sign-in">
          <CombinedSignInForm
            onStart={() => setSigningIn(true)}
            onFailed={() => setSigningIn(false)}
            onDone={(userType) => void navigate(dashboardPath(userType) ?? paths.home)}
          />
          <div className="mt-5">
            <ForgotPassword />
          </div>
        </TabsContent>
        <TabsContent value="sign-up">
          <CombinedSignUpForm prefill={signup ?? {}} onDone={() => setRegistered(true)} />
        </TabsContent>
      </Tabs>
    </AccountPage>
  );
}

function Registered({ onBack }: { onBack: () => void }) {
  return (
    <AccountPage title={combined.done.title} lead={combined.done.text}>
      <Button variant="outline" onClick={onBack}>
        {combined.done.back}
      </Button>
    </AccountPage>
  );
}

/** Afterwards the person is signed in, and this page sends signed-in people home. */
function NewPassword({ onDone }: { onDone: () => void }) {
  return (
    <AccountPage title={recovery.newTitle} lead={recovery.newLead}>
      <NewPasswordForm onDone={onDone} />
    </AccountPage>
  );
}
