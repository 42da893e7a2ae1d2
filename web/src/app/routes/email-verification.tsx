import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { isUserType, paths, signInPath } from '@/config/paths';
import { emailVerification as copy } from '@/copy/auth';
import { NoticePage } from '@/features/accounts/components/account-parts';
import { ConfirmByMail, SentTo } from '@/features/accounts/components/confirm-by-mail';
import { ResendForm } from '@/features/accounts/components/resend-form';
import type { SignUpPrefill } from '@/features/accounts/sign-up-prefill';

interface HandedOver {
  email?: string;
  /** What a sign-up was made with, when the person comes straight from it. */
  signup?: SignUpPrefill;
}

export default function EmailVerificationScreen() {
  const [search] = useSearchParams();
  const handedOver = (useLocation().state ?? {}) as HandedOver;
  const [email, setEmail] = useState(handedOver.email ?? '');
  const type = search.get('type');
  return (
    <NoticePage>
      <MailCheck aria-hidden className="size-9 text-primary" strokeWidth={1.5} />
      <PageHeading className="mt-4">{copy.title}</PageHeading>
      {email ? (
        <>
          <SentTo email={email} />
          <ConfirmByMail
            key={email}
            email={email}
            correction={
              handedOver.signup ? (
                <CorrectSignUp type={type} signup={handedOver.signup} />
              ) : (
                <Button
                  variant="link"
                  size="inline"
                  className="min-h-11 sm:min-h-6"
                  onClick={() => setEmail('')}
                >
                  {copy.otherAddress}
                </Button>
              )
            }
          />
        </>
      ) : (
        <AskAddress onSent={setEmail} />
      )}
      <NextSteps />
      <div className="mt-8 flex flex-col gap-3 sm:flex-row">
        <Button variant="secondary" asChild>
          <Link to={signInPath(type)} state={{ email }}>
            {copy.signIn}
          </Link>
        </Button>
        <Button variant="outline" asChild>
          <Link to={paths.home}>{copy.home}</Link>
        </Button>
      </div>
    </NoticePage>
  );
}

/** An account with a mistyped address is nobody's: the person signs up once more, with everything but the password kept. */
function CorrectSignUp({ type, signup }: { type: string | null; signup: SignUpPrefill }) {
  const to = isUserType(type) ? paths[type].signUp : paths.auth;
  return (
    <Button variant="link" size="inline" className="min-h-11 sm:min-h-6" asChild>
      <Link to={to} state={{ signup }}>
        {copy.correct}
      </Link>
    </Button>
  );
}

/** Opened without coming from anywhere: the page learns the address first. */
function AskAddress({ onSent }: { onSent: (email: string) => void }) {
  return (
    <>
      <p className="mt-2 mb-6 text-muted-foreground">{copy.sentNoAddress}</p>
      <p className="mb-4">{copy.askAddress}</p>
      <ResendForm onSent={onSent} />
    </>
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
