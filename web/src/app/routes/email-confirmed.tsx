import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { LoadingScreen } from '@/components/loading-screen';
import { PageHeading } from '@/components/page-heading';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { paths, signInPath } from '@/config/paths';
import { emailConfirmed as copy } from '@/copy/auth';
import { LinkLine, NoticePage } from '@/features/accounts/components/account-parts';
import { ResendForm } from '@/features/accounts/components/resend-form';
import type { ConfirmedAccount } from '@/features/accounts/data/confirm-email';
import { confirmEmailQueryOptions } from '@/features/accounts/data/confirm-email-query';
import { useAuth } from '@/lib/auth/auth-context';
import { toastError } from '@/lib/toast';

export default function EmailConfirmedScreen() {
  const { confirmed } = (useLocation().state ?? {}) as { confirmed?: ConfirmedAccount };
  return confirmed ? (
    <NoticePage>
      <Confirmed account={confirmed} />
    </NoticePage>
  ) : (
    <ByLink />
  );
}

function ByLink() {
  const tokenHash = useConfirmationToken();
  const { data: account, isLoading, isError } = useQuery(confirmEmailQueryOptions(tokenHash));

  useEffect(() => {
    if (isError) toastError(copy.failedToast.title, copy.failedToast.text);
  }, [isError]);

  if (isLoading) return <LoadingScreen text={copy.busy} />;
  return <NoticePage>{account ? <Confirmed account={account} /> : <Failed />}</NoticePage>;
}

/** Both parameters have to fit; a link of another kind is not for this page. */
function useConfirmationToken(): string | null {
  const [search] = useSearchParams();
  return search.get('type') === 'email' ? search.get('token_hash') || null : null;
}

function Confirmed({ account: { role, email } }: { account: ConfirmedAccount }) {
  return (
    <>
      <CircleCheckBig aria-hidden className="size-9 text-success" strokeWidth={1.5} />
      <PageHeading className="mt-4">{copy.title}</PageHeading>
      <p className="mt-2 text-muted-foreground">{copy.text}</p>
      <SomebodyElse email={email} />
      <Button asChild className="mt-8">
        <Link to={signInPath(role)} state={{ email }}>
          {copy.signIn}
        </Link>
      </Button>
    </>
  );
}

/** Somebody is signed in here while another address is confirmed: they stay it until the new account signs in. */
function SomebodyElse({ email }: { email: string | null }) {
  const { user } = useAuth();
  if (!user?.email || user.email === email) return null;
  return (
    <div className="mt-6">
      <Alert tone="info" text={copy.stillSignedIn(user.email)} />
    </div>
  );
}

function Failed() {
  return (
    <>
      <PageHeading>{copy.failedTitle}</PageHeading>
      <p className="mt-2 mb-6 text-muted-foreground">{copy.failedText}</p>
      <ResendForm />
      <div className="mt-8 border-t pt-4">
        <LinkLine question={copy.signInQuestion} to={paths.auth}>
          {copy.signInInstead}
        </LinkLine>
      </div>
    </>
  );
}
