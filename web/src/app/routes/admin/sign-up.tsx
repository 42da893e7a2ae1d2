import { useEffect, useState } from 'react';
import { PageHeading } from '@/components/page-heading';
import { Alert } from '@/components/ui/alert';
import { env } from '@/config/env';
import { paths } from '@/config/paths';
import { adminSignUp as copy } from '@/copy/admin';
import { LinkLine, NoticePage } from '@/features/accounts/components/account-parts';
import { AdminSignUpForm } from '@/features/accounts/components/admin-forms';
import { useNavigate } from '@/lib/navigation/use-navigate';

const REDIRECT_MS = 1_500;

export default function AdminSignUpScreen() {
  const [isDone, setDone] = useState(false);
  return (
    <NoticePage>
      <PageHeading>{copy.title}</PageHeading>
      <p className="mt-2 text-muted-foreground">{copy.lead}</p>
      <div className="mt-8 space-y-6">
        {isDone && <Leaving />}
        {env.adminSignup ? (
          <AdminSignUpForm onDone={() => setDone(true)} />
        ) : (
          <Alert tone="info" text={copy.closed} />
        )}
        <LinkLine question={copy.haveAccount} to={paths.admin.login}>
          {copy.login}
        </LinkLine>
      </div>
    </NoticePage>
  );
}

function Leaving() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(
      () => navigate(paths.admin.login, { state: { isRegistered: true } }),
      REDIRECT_MS,
    );
    return () => clearTimeout(timer);
  }, [navigate]);
  return <Alert tone="info" title={copy.success.title} text={copy.confirm} />;
}
