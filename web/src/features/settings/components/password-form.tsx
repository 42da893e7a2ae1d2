import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider, useForm } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { BusyButton } from '@/components/ui/busy-button';
import { settings } from '@/copy/settings';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useChangePassword, WrongPasswordError } from '../data/account-mutations';
import { passwordSchema, type PasswordForm as Values } from '../password-schema';
import { SettingsCard } from './settings-card';

const copy = settings.password;
const EMPTY: Values = { current: '', next: '', confirm: '' };

// AGS-006, IMT-004
export function PasswordForm() {
  const form = useForm({ resolver: zodResolver(passwordSchema), defaultValues: EMPTY });
  const { mutate, isPending } = useChangePassword();
  const change = (values: Values) =>
    mutate(values, {
      onSuccess: () => {
        form.reset(EMPTY);
        toastSuccess(copy.done.title, copy.done.text);
      },
      onError: (error) => {
        if (error instanceof WrongPasswordError) {
          form.setError('current', { message: error.message }, { shouldFocus: true });
        } else toastError(copy.failed, messageOf(error));
      },
    });
  return (
    <SettingsCard title={copy.title}>
      <FormProvider {...form}>
        <form
          noValidate
          onSubmit={(event) => void form.handleSubmit(change)(event)}
          className="grid gap-5 sm:grid-cols-2"
        >
          <TextField
            name="current"
            type="password"
            label={copy.current}
            autoComplete="current-password"
            className="sm:col-span-2 sm:max-w-[calc(50%-0.625rem)]"
          />
          <TextField
            name="next"
            type="password"
            label={copy.next}
            hint={copy.nextHint}
            autoComplete="new-password"
          />
          <TextField name="confirm" type="password" label={copy.confirm} autoComplete="new-password" />
          <div className="sm:col-span-2">
            <BusyButton type="submit" busy={isPending} busyText={copy.busy} className="w-full sm:w-auto">
              {copy.submit}
            </BusyButton>
          </div>
        </form>
      </FormProvider>
    </SettingsCard>
  );
}
