import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import type { UserType } from '@/config/paths';
import { fields, signIn as copy } from '@/copy/auth';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSignInAtDoor } from '../data/sign-in-mutation';
import { signInSchema, type SignIn } from '../schemas';
import { refusalOf, sentence, type Refusal } from '../sign-in-outcome';
import { AccountForm } from './account-form';
import { ForgotPassword } from './forgot-password';

interface SignInFormProps {
  door: UserType;
  email: string;
  onDone: () => void;
}

export function SignInForm({ door, email, onDone }: SignInFormProps) {
  const form = useForm({ resolver: zodResolver(signInSchema), defaultValues: { email, password: '' } });
  const signIn = useSignInAtDoor(door);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const typed = useWatch({ control: form.control, name: 'email' });
  const onSuccess = () => {
    toastSuccess(copy.welcome, copy[door].success);
    onDone();
  };
  const onError = (error: Error, values: SignIn) => {
    const reason = refusalOf(error, door, values.email);
    toastError(copy.failed, sentence(reason));
    setRefusal(reason);
  };
  return (
    <>
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
      <ForgotPassword email={typed} />
    </>
  );
}

export function CredentialFields() {
  return (
    <>
      <TextField name="email" type="email" label={fields.email} autoComplete="email" aria-required />
      <TextField
        name="password"
        type="password"
        label={fields.password}
        autoComplete="current-password"
        aria-required
      />
    </>
  );
}
