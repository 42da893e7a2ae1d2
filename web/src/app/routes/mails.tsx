/** Where the link in a mail leads whoever wants no more of them. It works without a session and tells nothing of the account. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { ErrorPanel } from '@/components/error-panel';
import { LoadingScreen } from '@/components/loading-screen';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { isUserType, paths } from '@/config/paths';
import { mails as copy } from '@/copy/mails';
import { NoticePage } from '@/features/accounts/components/account-parts';
import { MailChoiceForm } from '@/features/mail-choices/components/mail-choice-form';
import { mailChoiceQueryOptions } from '@/features/mail-choices/data/mail-choice';
import { useAuth } from '@/lib/auth/auth-context';
import { UnreachableError } from '@/lib/errors';

export default function MailsScreen() {
  const { token = '' } = useParams();
  const { data: choice, error, refetch } = useQuery(mailChoiceQueryOptions(token));
  if (choice) {
    return (
      <NoticePage>
        <MailChoiceForm token={token} choice={choice} settings={<ToSettings />} />
      </NoticePage>
    );
  }
  if (!error) return <LoadingScreen text={copy.busy} />;
  return (
    <NoticePage>
      {error instanceof UnreachableError ? (
        <ErrorPanel error={error} fallback={copy.readFailed} onRetry={() => void refetch()} />
      ) : (
        <Invalid />
      )}
    </NoticePage>
  );
}

function Invalid() {
  return (
    <>
      <PageHeading>{copy.invalid.title}</PageHeading>
      <p className="mt-2 mb-8 text-muted-foreground">{copy.invalid.text}</p>
      <ToSettings />
    </>
  );
}

/** The page does not know whose mail it was: only who is signed in has settings here. */
function ToSettings() {
  const { profile } = useAuth();
  const area = profile?.user_type;
  const to = isUserType(area) ? `${paths[area].settings}#notifications` : paths.auth;
  return (
    <Button variant="outline" asChild>
      <Link to={to}>{isUserType(area) ? copy.settings : copy.settingsSignIn}</Link>
    </Button>
  );
}
