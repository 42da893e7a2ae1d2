/** Asks for the address of the account and sends the link that lets its owner choose a new password. */
import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider, useForm } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { BusyButton } from '@/components/ui/busy-button';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { fields, recovery as copy } from '@/copy/auth';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useRecoveryMail } from '../data/recovery-mutations';
import { resendSchema } from '../schemas';

interface OpenRecoveryDialogProps {
  email: string;
  page?: string | undefined;
  onSent: (email: string) => void;
  onClose: () => void;
}

export function OpenRecoveryDialog({ onClose, ...form }: OpenRecoveryDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={copy.title} text={copy.lead}>
        <RecoveryForm {...form} />
      </DialogContent>
    </Dialog>
  );
}

function RecoveryForm({ email, page, onSent }: Omit<OpenRecoveryDialogProps, 'onClose'>) {
  const form = useForm({ resolver: zodResolver(resendSchema), defaultValues: { email } });
  const mail = useRecoveryMail(page);
  const outcome = {
    onSuccess: (_data: unknown, address: string) => {
      toastSuccess(copy.sent.title, copy.sent.text);
      onSent(address);
    },
    onError: (error: Error) => toastError(copy.failed, messageOf(error)),
  };
  const onSubmit = form.handleSubmit((values) => mail.mutate(values.email, outcome));
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-5">
        <TextField name="email" type="email" label={fields.email} autoComplete="email" aria-required />
        <BusyButton type="submit" busy={mail.isPending} busyText={copy.sending}>
          {copy.send}
        </BusyButton>
      </form>
    </FormProvider>
  );
}
