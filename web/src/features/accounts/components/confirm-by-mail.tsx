import type { ReactNode } from 'react';
import { paths } from '@/config/paths';
import { emailVerification as copy, mailCode } from '@/copy/auth';
import { messageOf } from '@/lib/errors';
import { useNavigate } from '@/lib/navigation/use-navigate';
import { useConfirmByCode } from '../data/confirm-email';
import { CodeForm } from './code-form';
import { ResendButton } from './resend-button';

interface ConfirmByMailProps {
  email: string;
  /** How the address can be corrected. */
  correction: ReactNode;
}

/** What can be done while the mail is on its way: enter its code, have it sent again, correct the address. */
export function ConfirmByMail({ email, correction }: ConfirmByMailProps) {
  const navigate = useNavigate();
  const confirm = useConfirmByCode();
  return (
    <section aria-label={copy.codeLead} className="mt-6 border-y py-5">
      <p className="mb-4">{copy.codeLead}</p>
      <CodeForm
        submit={mailCode.confirm}
        busy={confirm.isPending}
        failure={confirm.error && messageOf(confirm.error)}
        onSubmit={(code) =>
          confirm.mutate(
            { email, code },
            { onSuccess: (confirmed) => navigate(paths.emailConfirmed, { state: { confirmed } }) },
          )
        }
      />
      <p className="mt-4 text-small text-muted-foreground">
        {copy.resendLead} <ResendButton email={email} />
      </p>
      <p className="mt-1 text-small text-muted-foreground">
        {copy.wrongAddress} {correction}
      </p>
    </section>
  );
}

export function SentTo({ email }: { email: string }) {
  return (
    <p className="mt-2 text-muted-foreground">
      {copy.sent} <strong className="font-semibold break-words text-foreground">{email}</strong>
    </p>
  );
}
