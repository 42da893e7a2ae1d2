import { useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { LoadingScreen } from '@/components/loading-screen';
import { PageHeading } from '@/components/page-heading';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { env } from '@/config/env';
import { paths } from '@/config/paths';
import { adminLogin as copy } from '@/copy/admin';
import { LinkLine, NoticePage } from '@/features/accounts/components/account-parts';
import { AdminClaim } from '@/features/accounts/components/admin-claim';
import { AdminLoginForm } from '@/features/accounts/components/admin-forms';
import { LinkFailure } from '@/features/accounts/components/link-failure';
import { isAdmin, missingStep } from '@/lib/auth/administrator';
import { useAuth } from '@/lib/auth/auth-context';
import { endAllSessions } from '@/lib/auth/session';

export default function AdminLoginScreen() {
  const { user, session, loading } = useAuth();
  const [isBusy, setBusy] = useState(false);
  if (isBusy) return <Login onBusy={setBusy} />;
  if (loading) return <LoadingScreen />;
  const step = missingStep(session, env.adminEmail);
  if (step) {
    return (
      <NoticePage>
        <AdminClaim step={step} email={user?.email ?? ''} />
      </NoticePage>
    );
  }
  if (isAdmin(user?.email, env.adminEmail)) return <Navigate to={paths.admin.root} replace />;
  return user ? <Denied email={user.email ?? ''} /> : <Login onBusy={setBusy} />;
}

/** The same tree before and during an attempt, so that the form outlives the session it may begin. */
function Login({ onBusy }: { onBusy: (isBusy: boolean) => void }) {
  const { isRegistered } = (useLocation().state ?? {}) as { isRegistered?: boolean };
  return (
    <NoticePage>
      <PageHeading>{copy.title}</PageHeading>
      <div className="mt-8 space-y-6">
        <LinkFailure email={env.adminEmail} page={paths.admin.login} />
        {isRegistered && <Alert tone="info" title={copy.mail.title} text={copy.mail.text} />}
        <AdminLoginForm onBusy={onBusy} />
        <LinkLine question={copy.noAccount} to={paths.admin.signUp}>
          {copy.signUp}
        </LinkLine>
      </div>
    </NoticePage>
  );
}

function Denied({ email }: { email: string }) {
  const [isLeaving, setLeaving] = useState(false);
  const signOutAndReload = async () => {
    setLeaving(true);
    await endAllSessions();
    window.location.reload();
  };
  return (
    <NoticePage>
      <PageHeading>{copy.title}</PageHeading>
      <div className="mt-8 space-y-6">
        <Alert title={copy.denied.title} text={copy.denied.text} />
        <p className="text-muted-foreground">
          {copy.signedInAs} <span className="font-semibold text-foreground">{email}</span>
        </p>
        <div className="flex flex-col gap-3 sm:flex-row">
          <BusyButton busy={isLeaving} busyText={copy.tryAgain} onClick={() => void signOutAndReload()}>
            {copy.tryAgain}
          </BusyButton>
          <Button variant="outline" asChild>
            <Link to={paths.home}>{copy.home}</Link>
          </Button>
        </div>
      </div>
    </NoticePage>
  );
}
