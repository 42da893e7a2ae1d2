/** Sign-in at one of the two dedicated doors. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import type { UserType } from '@/config/paths';
import { fields, signIn as copy } from '@/copy/auth';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSignInAtDoor } from '../data/sign-in-mutation';
import { signInSchema } from '../schemas';
import { refusalOf, sentence, type Refusal } from '../sign-in-failure';
import { AccountForm } from './account-form';

interface SignInFormProps {
  door: UserType;
  email: string;
  onDone: () => void;
}

export function SignInForm({ door, email, onDone }: SignInFormProps) {
  const form = useForm({ resolver: zodResolver(signInSchema), defaultValues: { email, password: '' } });
  const signIn = useSignInAtDoor(door);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const onSuccess = () => {
    toastSuccess(copy.welcome, copy[door].success);
    onDone();
  };
  const onError = (error: Error) => {
    const reason = refusalOf(error, 'dedicated');
    toastError(copy.failed, sentence(reason));
    setRefusal(reason);
  };
  return (
    <AccountForm
      form={form}
      onSubmit={(values) => signIn.mutate(values, { onSuccess, onError })}
      refusal={refusal}
      submit={copy.submit}
      busy={signIn.isPending}
      busyText={copy.busy}
    >
      <CredentialFields />
    </AccountForm>
  );
}

export function CredentialFields() {
  return (
    <>
      <TextField name="email" type="email" label={fields.email} autoComplete="email" />
      <TextField name="password" type="password" label={fields.password} autoComplete="current-password" />
    </>
  );
}
