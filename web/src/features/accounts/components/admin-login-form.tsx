import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { adminLogin as copy } from '@/copy/admin';
import { toastError, toastSuccess } from '@/lib/toast';
import { loginRefusalOf } from '../admin-refusal';
import { useAdminLogin } from '../data/admin-mutations';
import { signInSchema } from '../schemas';
import { AccountForm } from './account-form';
import { AdminCredentials } from './admin-credentials';

export function AdminLoginForm() {
  const form = useForm({ resolver: zodResolver(signInSchema), defaultValues: { email: '', password: '' } });
  const login = useAdminLogin(() => toastSuccess(copy.success));
  const onError = (error: Error) => toastError(loginRefusalOf(error).text);
  return (
    <AccountForm
      form={form}
      onSubmit={(values) => login.mutate(values, { onError })}
      refusal={login.error && loginRefusalOf(login.error)}
      submit={copy.submit}
      busy={login.isPending}
      busyText={copy.busy}
    >
      <AdminCredentials autoComplete="current-password" />
    </AccountForm>
  );
}
