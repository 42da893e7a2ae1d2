import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { adminLogin as copy } from '@/copy/admin';
import { toastError, toastSuccess } from '@/lib/toast';
import { loginRefusalOf } from '../admin-refusal';
import { useAdminLogin } from '../data/admin-mutations';
import { signInSchema, type SignIn } from '../schemas';
import { AccountForm } from './account-form';
import { AdminCredentials } from './admin-credentials';

interface AdminLoginFormProps {
  /** The attempt begins and ends: in between, the page keeps this form, whoever the service lets in. */
  onBusy: (isBusy: boolean) => void;
}

export function AdminLoginForm({ onBusy }: AdminLoginFormProps) {
  const form = useForm({ resolver: zodResolver(signInSchema), defaultValues: { email: '', password: '' } });
  const login = useAdminLogin(() => toastSuccess(copy.success));
  const outcome = {
    onError: (error: Error) => toastError(loginRefusalOf(error).text),
    onSettled: () => onBusy(false),
  };
  const onSubmit = (values: SignIn) => {
    onBusy(true);
    login.mutate(values, outcome);
  };
  return (
    <AccountForm
      form={form}
      onSubmit={onSubmit}
      refusal={login.error && loginRefusalOf(login.error)}
      submit={copy.submit}
      busy={login.isPending}
      busyText={copy.busy}
    >
      <AdminCredentials autoComplete="current-password" />
    </AccountForm>
  );
}
