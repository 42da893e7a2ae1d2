import { BusyButton } from '@/components/ui/busy-button';
import { emailVerification, resent } from '@/copy/auth';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useResendConfirmation } from '../data/confirm-email';

/** Sends the confirmation mail to a known address once more. */
export function ResendButton({ email }: { email: string }) {
  const resend = useResendConfirmation();
  const outcome = {
    onSuccess: () => toastSuccess(resent.title, resent.text),
    onError: (error: Error) => toastError(resent.failed, messageOf(error)),
  };
  return (
    <BusyButton
      variant="link"
      size="inline"
      className="min-h-11 sm:min-h-6"
      busy={resend.isPending}
      busyText={emailVerification.resending}
      onClick={() => resend.mutate(email, outcome)}
    >
      {emailVerification.resend}
    </BusyButton>
  );
}
