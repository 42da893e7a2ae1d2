/** The forms of the administrator's entry. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { adminLogin, adminSignUp } from '@/copy/admin';
import { fields } from '@/copy/auth';
import { errors } from '@/copy/errors';
import { AppError } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useAdminLogin, useAdminSignUp } from '../data/admin-mutations';
import { signInSchema, type SignIn } from '../schemas';
import { RefusedError, type Refusal } from '../sign-in-outcome';
import { AccountForm } from './account-form';

function AdminCredentials({ autoComplete }: { autoComplete: 'current-password' | 'new-password' }) {
  return (
    <>
      <TextField name="email" type="email" label={fields.email} autoComplete="email" aria-required />
      <TextField
        name="password"
        type="password"
        label={fields.password}
        autoComplete={autoComplete}
        aria-required
      />
    </>
  );
}

interface AdminLoginFormProps {
  /** The attempt begins and ends: in between, the page keeps this form, whoever the service lets in. */
  onBusy: (isBusy: boolean) => void;
}

export function AdminLoginForm({ onBusy }: AdminLoginFormProps) {
  const form = useForm({ resolver: zodResolver(signInSchema), defaultValues: { email: '', password: '' } });
  const login = useAdminLogin(() => toastSuccess(adminLogin.success));
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
      submit={adminLogin.submit}
      busy={login.isPending}
      busyText={adminLogin.busy}
    >
      <AdminCredentials autoComplete="current-password" />
    </AccountForm>
  );
}

export function AdminSignUpForm({ onDone }: { onDone: () => void }) {
  const form = useForm({ resolver: zodResolver(signInSchema), defaultValues: { email: '', password: '' } });
  const signUp = useAdminSignUp();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const onSuccess = () => {
    setRefusal(null);
    toastSuccess(adminSignUp.success.title, adminSignUp.success.text);
    onDone();
  };
  const onError = (error: Error) => {
    const reason = signUpRefusalOf(error);
    toastError(reason.title ?? adminSignUp.failed, reason.text);
    setRefusal(reason);
  };
  return (
    <AccountForm
      form={form}
      onSubmit={(values) => signUp.mutate(values, { onSuccess, onError })}
      refusal={refusal}
      submit={adminSignUp.submit}
      busy={signUp.isPending || signUp.isSuccess}
      busyText={adminSignUp.busy}
    >
      <AdminCredentials autoComplete="new-password" />
    </AccountForm>
  );
}

/** Why the administrator's entry was refused, in its own words. */
function signUpRefusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  return isForeseen(error) ? { title: adminSignUp.failed, text: error.message } : adminSignUp.unexpected;
}

/** The service said something; without words of its own, what happened is as unexpected as a crash here. */
function isForeseen(error: unknown): error is AppError {
  return error instanceof AppError && !error.message.startsWith(errors.unexpected);
}

function loginRefusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  if (!isForeseen(error)) return { text: adminLogin.unexpected };
  if (error.code === 'invalid_credentials') return { text: adminLogin.invalid };
  if (error.code === 'email_not_confirmed') return { text: adminLogin.notConfirmed };
  return { text: adminLogin.failed(error.message) };
}
