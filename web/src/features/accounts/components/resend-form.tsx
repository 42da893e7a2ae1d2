import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider, useForm } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { BusyButton } from '@/components/ui/busy-button';
import { emailConfirmed, fields, resent } from '@/copy/auth';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useResendConfirmation } from '../data/confirm-email';
import { resendSchema } from '../schemas';

interface ResendFormProps {
  email?: string;
  /** Learns where the mail went. */
  onSent?: (email: string) => void;
}

export function ResendForm({ email: known = '', onSent }: ResendFormProps) {
  const form = useForm({ resolver: zodResolver(resendSchema), defaultValues: { email: known } });
  const resend = useResendConfirmation();
  const outcome = {
    onSuccess: (_data: unknown, email: string) => {
      toastSuccess(resent.title, resent.text);
      onSent?.(email);
    },
    onError: (error: Error) => toastError(resent.failed, messageOf(error)),
  };
  const onSubmit = form.handleSubmit(({ email }) => resend.mutate(email, outcome));
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
        <TextField name="email" type="email" label={fields.email} autoComplete="email" aria-required />
        <BusyButton
          type="submit"
          busy={resend.isPending}
          busyText={emailConfirmed.resending}
          className="self-start"
        >
          {emailConfirmed.resend}
        </BusyButton>
      </form>
    </FormProvider>
  );
}
