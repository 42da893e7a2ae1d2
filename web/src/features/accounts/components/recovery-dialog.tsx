import { zodResolver } from '@hookform/resolvers/zod';
import { useState, type ReactNode } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { BusyButton } from '@/components/ui/busy-button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { fields, recovery as copy } from '@/copy/auth';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useRecoveryMail } from '../data/recovery-mutations';
import { resendSchema } from '../schemas';

interface RecoveryDialogProps {
  /** What the person has typed elsewhere on the page. */
  email: string;
  /** Where the link leads; the combined page unless another asks for the new password. */
  page?: string | undefined;
  /** Learns where the mail went. */
  onSent?: (email: string) => void;
  /** The button that opens it. */
  children: ReactNode;
}

/** Asks for the address of the account and sends the link that lets its owner choose a new password. */
export function RecoveryDialog({ email, page, onSent, children }: RecoveryDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (sentTo: string) => {
    setOpen(false);
    onSent?.(sentTo);
  };
  return (
    <Dialog open={isOpen} onOpenChange={setOpen}>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent title={copy.title} text={copy.lead}>
        <RecoveryForm email={email} page={page} onSent={close} />
      </DialogContent>
    </Dialog>
  );
}

interface RecoveryFormProps {
  email: string;
  page: string | undefined;
  onSent: (email: string) => void;
}

function RecoveryForm({ email, page, onSent }: RecoveryFormProps) {
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
