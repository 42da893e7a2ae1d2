import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { fields, recovery as copy } from '@/copy/auth';
import { toastError, toastSuccess } from '@/lib/toast';
import { useRecoveryMail } from '../data/recovery-mutations';
import { resendSchema } from '../schemas';

/** Stands below a sign-in form and opens a small form of its own. */
export function ForgotPassword() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog open={isOpen} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="link" size="inline" className="self-start">
          {copy.open}
        </Button>
      </DialogTrigger>
      <DialogContent title={copy.title} text={copy.lead}>
        <RecoveryForm onSent={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

function RecoveryForm({ onSent }: { onSent: () => void }) {
  const form = useForm({ resolver: zodResolver(resendSchema), defaultValues: { email: '' } });
  const mail = useRecoveryMail();
  const outcome = {
    onSuccess: () => {
      toastSuccess(copy.sent.title, copy.sent.text);
      onSent();
    },
    onError: (error: Error) => toastError(copy.failed, error.message),
  };
  const onSubmit = form.handleSubmit(({ email }) => mail.mutate(email, outcome));
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-5">
        <TextField name="email" type="email" label={fields.email} autoComplete="email" />
        <BusyButton type="submit" busy={mail.isPending} busyText={copy.sending}>
          {copy.send}
        </BusyButton>
      </form>
    </FormProvider>
  );
}
