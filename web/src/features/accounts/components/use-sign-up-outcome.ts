/** What follows a sign-up: on with the account, or a toast that the page repeats above the form. */
import { useState } from 'react';
import { signInPath, type UserType } from '@/config/paths';
import { signUp as copy } from '@/copy/auth';
import { errors } from '@/copy/errors';
import { ConflictError, messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import type { NewAccount } from '../data/sign-up-mutation';
import type { Refusal } from '../sign-in-outcome';

export type SignedUp = (account: NewAccount) => void;

interface Words {
  failed: string;
  fallback?: string;
}

export function useSignUpOutcome(door: UserType | null, words: Words, onDone: SignedUp) {
  const { failed, fallback = errors.unexpected } = words;
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const handlers = {
    onSuccess: (_data: unknown, account: NewAccount) => onDone(account),
    onError: (error: Error, { email }: NewAccount) => {
      const text = messageOf(error, fallback);
      const way = { text: copy.signIn, to: signInPath(door), state: { email } };
      toastError(failed, text);
      setRefusal(error instanceof ConflictError ? { text, way } : { text });
    },
  };
  return { refusal, handlers };
}
