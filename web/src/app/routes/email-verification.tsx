import { MailCheck } from 'lucide-react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { paths, signInPath } from '@/config/paths';
import { emailVerification as copy } from '@/copy/auth';
import { NoticePage } from '@/features/accounts/components/notice-page';
import { ResendButton } from '@/features/accounts/components/resend-button';

export default function EmailVerificationScreen() {
  const [search] = useSearchParams();
  const { email } = (useLocation().state ?? {}) as { email?: string };
  return (
    <NoticePage>
      <MailCheck aria-hidden className="size-9 text-primary" strokeWidth={1.5} />
      <PageHeading className="mt-4">{copy.title}</PageHeading>
      <p className="mt-2 text-muted-foreground">
        {email ? `${copy.sent} ` : copy.sentNoAddress}
        {email && <strong className="font-semibold break-words text-foreground">{email}</strong>}
      </p>
      <NextSteps />
      <div className="mt-8 flex flex-col gap-3 sm:flex-row">
        <Button asChild>
          <Link to={signInPath(search.get('type'))}>{copy.signIn}</Link>
        </Button>
        <Button variant="outline" asChild>
          <Link to={paths.home}>{copy.home}</Link>
        </Button>
      </div>
      {email && (
        <p className="mt-6 border-t pt-4 text-small text-muted-foreground">
          {copy.resendLead} <ResendButton email={email} />
        </p>
      )}
    </NoticePage>
  );
}

function NextSteps() {
  return (
    <section aria-labelledby="next-steps" className="mt-8">
      <h2 id="next-steps" className="text-label text-muted-foreground">
        {copy.nextSteps}
      </h2>
      <ol className="mt-2 divide-y border-y">
        {copy.steps.map((step, index) => (
          <li key={step} className="flex gap-4 py-2.5">
            <span aria-hidden className="w-4 font-heading font-semibold text-muted-foreground figures">
              {index + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
    </section>
  );
}
