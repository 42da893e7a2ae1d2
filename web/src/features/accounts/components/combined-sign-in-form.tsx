import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { combined, signIn as copy } from '@/copy/auth';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSignInAnywhere } from '../data/sign-in-mutation';
import { combinedSignInSchema, type SignIn } from '../schemas';
import { refusalOf, sentence, type Refusal } from '../sign-in-outcome';
import { AccountForm } from './account-form';
import { ForgotPassword } from './forgot-password';
import { CredentialFields } from './sign-in-form';

interface CombinedSignInFormProps {
  /** What another page knows already. */
  email: string;
  onStart: () => void;
  /** Learns the kind of account, null when there is no profile. */
  onDone: (userType: string | null) => void;
  onFailed: () => void;
}

export function CombinedSignInForm({ email, onStart, onDone, onFailed }: CombinedSignInFormProps) {
  const form = useForm({
    resolver: zodResolver(combinedSignInSchema),
    defaultValues: { email, password: '' },
  });
  const signIn = useSignInAnywhere();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const typed = useWatch({ control: form.control, name: 'email' });
  const onSuccess = (userType: string | null) => {
    toastSuccess(copy.welcome, combined.success);
    onDone(userType);
  };
  const onError = (error: Error, values: SignIn) => {
    const reason = refusalOf(error, null, values.email);
    toastError(combined.signInFailed, sentence(reason));
    setRefusal(reason);
    onFailed();
  };
  return (
    <>
      <AccountForm
        form={form}
        onSubmit={(values) => {
          onStart();
          signIn.mutate(values, { onSuccess, onError });
        }}
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
