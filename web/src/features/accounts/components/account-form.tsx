/** A form of an account page: its refusal on top, its fields, its one button. */
import type { ReactNode } from 'react';
import { FormProvider, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { BusyButton } from '@/components/ui/busy-button';
import type { Refusal } from '../sign-in-failure';
import { RefusalNote } from './refusal-note';

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
