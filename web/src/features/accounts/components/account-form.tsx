/** A form of an account page: its refusal on top, its fields, its one button. */
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { FormProvider, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import type { Refusal } from '../sign-in-outcome';

interface AccountFormProps<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  onSubmit: (values: Output) => void;
  refusal: Refusal | null;
  submit: string;
  busy: boolean;
  busyText: string;
  children: ReactNode;
}

export function AccountForm<Values extends FieldValues, Output>(props: AccountFormProps<Values, Output>) {
  const { form, onSubmit, refusal, submit, busy, busyText, children } = props;
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}
        className="flex flex-col gap-5"
      >
        {refusal && <RefusalNote refusal={refusal} />}
        {children}
        <BusyButton type="submit" size="large" busy={busy} busyText={busyText} className="w-full">
          {submit}
        </BusyButton>
      </form>
    </FormProvider>
  );
}

/** Why it did not work, and below it the way on. The alert itself says the documented sentence and nothing else. */
function RefusalNote({ refusal: { title, text, way } }: { refusal: Refusal }) {
  return (
    <div className="flex flex-col">
      <Alert title={title} text={text} />
      {way && (
        <Link
          to={way.to}
          state={way.state}
          className="-mt-px flex min-h-11 items-center justify-between gap-3 rounded-b-control border bg-card px-4 font-semibold text-primary underline underline-offset-4 hover:decoration-2"
        >
          {way.text}
          <ArrowRight aria-hidden className="size-4 shrink-0" />
        </Link>
      )}
    </div>
  );
}
