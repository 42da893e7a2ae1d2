import { BusyButton } from '@/components/ui/busy-button';
import { emailVerification, resent } from '@/copy/auth';
import { toastError, toastSuccess } from '@/lib/toast';
import { useResendConfirmation } from '../data/resend-mutation';

/** Sends the confirmation mail to a known address once more. */
export function ResendButton({ email }: { email: string }) {
  const resend = useResendConfirmation();
  const outcome = {
    onSuccess: () => toastSuccess(resent.title, resent.text),
    onError: (error: Error) => toastError(resent.failed, error.message),
  };
  return (
    <BusyButton
      variant="link"
      size="inline"
      busy={resend.isPending}
      busyText={emailVerification.resending}
      onClick={() => resend.mutate(email, outcome)}
    >
      {emailVerification.resend}
    </BusyButton>
  );
}
