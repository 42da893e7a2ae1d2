import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider, useForm } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { mailCode as copy } from '@/copy/auth';
import { codeSchema } from '../schemas';

interface CodeFormProps {
  submit: string;
  busy: boolean;
  failure: string | null;
  onSubmit: (code: string) => void;
}

/** Takes the code of a mail, for whoever reads it on another device. */
export function CodeForm({ submit, busy, failure, onSubmit }: CodeFormProps) {
  const form = useForm({ resolver: zodResolver(codeSchema), defaultValues: { code: '' } });
  const send = form.handleSubmit(({ code }) => onSubmit(code));
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        {failure && <Alert title={copy.failed} text={failure} />}
        <div className="flex flex-col gap-3 sm:flex-row sm:items-start">
          <TextField
            name="code"
            label={copy.label}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            aria-required
            className="sm:max-w-52 sm:flex-1"
          />
          <BusyButton type="submit" busy={busy} busyText={copy.busy} className="sm:mt-[1.35rem] sm:min-h-11">
            {submit}
          </BusyButton>
        </div>
      </form>
    </FormProvider>
  );
}
