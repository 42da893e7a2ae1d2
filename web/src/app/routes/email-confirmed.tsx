import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { LoadingScreen } from '@/components/loading-screen';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { paths, signInPath } from '@/config/paths';
import { emailConfirmed as copy } from '@/copy/auth';
import { LinkLine } from '@/features/accounts/components/link-line';
import { NoticePage } from '@/features/accounts/components/notice-page';
import { ResendForm } from '@/features/accounts/components/resend-form';
import { confirmEmailQueryOptions } from '@/features/accounts/data/confirm-email-query';
import { toastError } from '@/lib/toast';

export default function EmailConfirmedScreen() {
  const tokenHash = useConfirmationToken();
  const { data: role, isLoading, isSuccess, isError } = useQuery(confirmEmailQueryOptions(tokenHash));

  useEffect(() => {
    if (isError) toastError(copy.failedToast.title, copy.failedToast.text);
  }, [isError]);

  if (isLoading) return <LoadingScreen text={copy.busy} />;
  return <NoticePage>{isSuccess ? <Confirmed role={role} /> : <Failed />}</NoticePage>;
}

/** Both parameters have to fit; a link of another kind is not for this page. */
function useConfirmationToken(): string | null {
  const [search] = useSearchParams();
  return search.get('type') === 'email' ? search.get('token_hash') || null : null;
}

function Confirmed({ role }: { role: string | null }) {
  return (
    <>
      <CircleCheckBig aria-hidden className="size-9 text-success" strokeWidth={1.5} />
      <PageHeading className="mt-4">{copy.title}</PageHeading>
      <p className="mt-2 text-muted-foreground">{copy.text}</p>
      <Button asChild className="mt-8">
        <Link to={signInPath(role)}>{copy.signIn}</Link>
      </Button>
    </>
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
