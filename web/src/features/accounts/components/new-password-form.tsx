import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { recovery as copy } from '@/copy/auth';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useNewPassword } from '../data/recovery-mutations';
import { newPasswordSchema } from '../schemas';
import { PasswordFields } from './account-fields';
import { AccountForm } from './account-form';

/** For whoever came by the link of a recovery mail. */
export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const form = useForm({
    resolver: zodResolver(newPasswordSchema),
    defaultValues: { password: '', confirmPassword: '' },
  });
  const change = useNewPassword();
  const outcome = {
    onSuccess: () => {
      toastSuccess(copy.saved.title, copy.saved.text);
      onDone();
    },
    onError: (error: Error) => toastError(copy.notSaved, messageOf(error)),
  };
  return (
    <AccountForm
      form={form}
      onSubmit={({ password }) => change.mutate(password, outcome)}
      refusal={change.error && { title: copy.notSaved, text: messageOf(change.error) }}
      submit={copy.save}
      busy={change.isPending}
      busyText={copy.saving}
    >
      <PasswordFields label={copy.newPassword} />
    </AccountForm>
  );
}
