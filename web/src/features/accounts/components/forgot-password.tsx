import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { recovery as copy } from '@/copy/auth';
import { messageOf } from '@/lib/errors';
import { useNavigate } from '@/lib/navigation/use-navigate';
import { useRecoveryCode } from '../data/recovery-mutations';
import { CodeForm } from './code-form';
import { RecoveryDialog } from './recovery-dialog';

/** Stands below a sign-in form. Once the mail is on its way, its code can be entered in place of following its link. */
export function ForgotPassword({ email }: { email: string }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <div className="mt-5 space-y-5">
      <RecoveryDialog email={email} onSent={setSentTo}>
        <Button variant="link" size="inline" className="min-h-11 sm:min-h-6">
          {copy.open}
        </Button>
      </RecoveryDialog>
      {sentTo && <RecoveryCode key={sentTo} email={sentTo} />}
    </div>
  );
}

/** The session it begins is a recovery: the combined page asks for the new password. */
function RecoveryCode({ email }: { email: string }) {
  const navigate = useNavigate();
  const redeem = useRecoveryCode();
  const onSuccess = () => navigate(paths.auth);
  return (
    <div className="rounded-card border bg-card p-4 sm:p-5">
      <p className="mb-4 text-small">
        {copy.codeLead} <strong className="font-semibold break-words">{email}</strong>
      </p>
      <CodeForm
        submit={copy.codeSubmit}
        busy={redeem.isPending}
        failure={redeem.error && messageOf(redeem.error)}
        onSubmit={(code) => redeem.mutate({ email, code }, { onSuccess })}
      />
    </div>
  );
}
