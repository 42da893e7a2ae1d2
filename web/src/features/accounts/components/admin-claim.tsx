/** The account has the administrator's address and not yet the role: the password set by way of a mail gives it. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { PageHeading } from '@/components/page-heading';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { adminClaim as copy, adminLogin } from '@/copy/admin';
import { useAuth } from '@/lib/auth/auth-context';
import type { MissingStep } from '@/lib/auth/administrator';
import { forgetSession } from '@/lib/auth/session';
import { toastError, toastSuccess } from '@/lib/toast';
import { useClaim, useClaimMail } from '../data/admin-mutations';
import { newPasswordSchema } from '../schemas';
import { RefusedError } from '../sign-in-outcome';
import { AccountForm } from './account-form';
import { PasswordFields } from './account-fields';

export function AdminClaim({ step, email }: { step: MissingStep; email: string }) {
  const isMailed = step === 'password';
  return (
    <>
      <PageHeading>{isMailed ? copy.title : copy.mailTitle}</PageHeading>
      <p className="mt-2 text-pretty text-muted-foreground">{isMailed ? copy.lead : copy.mailLead(email)}</p>
      <div className="mt-8 space-y-6">
        {isMailed ? <ClaimForm email={email} /> : <SendLink email={email} />}
        <Button variant="link" size="inline" onClick={() => void forgetSession()}>
          {copy.leave}
        </Button>
      </div>
    </>
  );
}

function ClaimForm({ email }: { email: string }) {
  const form = useForm({
    resolver: zodResolver(newPasswordSchema),
    defaultValues: { password: '', confirmPassword: '' },
  });
  const { endRecovery } = useAuth();
  const claim = useClaim(() => {
    endRecovery();
    toastSuccess(adminLogin.success);
  });
  const isStale = claim.error instanceof RefusedError;
  return (
    <>
      <AccountForm
        form={form}
        onSubmit={({ password }) =>
          claim.mutate(password, { onError: (error) => toastError(copy.failed, textOf(error)) })
        }
        refusal={claim.error && { title: copy.failed, text: textOf(claim.error) }}
        submit={copy.submit}
        busy={claim.isPending}
        busyText={copy.busy}
      >
        <PasswordFields label={copy.password} />
      </AccountForm>
      {isStale && <SendLink email={email} />}
    </>
  );
}

function SendLink({ email }: { email: string }) {
  const mail = useClaimMail();
  const outcome = {
    onSuccess: () => toastSuccess(copy.sent.title, copy.sent.text),
    onError: (error: Error) => toastError(copy.notSent, error.message),
  };
  return (
    <>
      {mail.isSuccess && <Alert tone="info" title={copy.sent.title} text={copy.sent.text} />}
      <BusyButton
        size="large"
        busy={mail.isPending}
        busyText={copy.sending}
        onClick={() => mail.mutate(email, outcome)}
        className="w-full"
      >
        {copy.send}
      </BusyButton>
    </>
  );
}

function textOf(error: Error): string {
  return error instanceof RefusedError ? error.refusal.text : error.message;
}
