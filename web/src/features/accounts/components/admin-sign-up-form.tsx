import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { adminSignUp as copy } from '@/copy/admin';
import { toastError, toastSuccess } from '@/lib/toast';
import { signUpRefusalOf } from '../admin-refusal';
import { useAdminSignUp } from '../data/admin-mutations';
import { signInSchema } from '../schemas';
import type { Refusal } from '../sign-in-failure';
import { AccountForm } from './account-form';
import { AdminCredentials } from './admin-credentials';

export function AdminSignUpForm({ onDone }: { onDone: () => void }) {
  const form = useForm({ resolver: zodResolver(signInSchema), defaultValues: { email: '', password: '' } });
  const signUp = useAdminSignUp();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const onSuccess = () => {
    setRefusal(null);
    toastSuccess(copy.success.title, copy.success.text);
    onDone();
  };
  const onError = (error: Error) => {
    const reason = signUpRefusalOf(error);
    toastError(reason.title ?? copy.failed, reason.text);
    setRefusal(reason);
  };
  return (
    <AccountForm
      form={form}
      onSubmit={(values) => signUp.mutate(values, { onSuccess, onError })}
      refusal={refusal}
      submit={copy.submit}
      busy={signUp.isPending || signUp.isSuccess}
      busyText={copy.busy}
    >
      <AdminCredentials autoComplete="new-password" />
    </AccountForm>
  );
}
