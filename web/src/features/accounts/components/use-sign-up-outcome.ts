/** What follows a sign-up: on with the address, or a toast that the page repeats above the form. */
import { useState } from 'react';
import { errors } from '@/copy/errors';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import type { NewAccount } from '../data/sign-up-mutation';
import type { Refusal } from '../sign-in-failure';

export type SignedUp = (email: string) => void;

export function useSignUpOutcome(
  failedTitle: string,
  onDone: SignedUp,
  fallback: string = errors.unexpected,
) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const handlers = {
    onSuccess: (_data: unknown, { email }: NewAccount) => onDone(email),
    onError: (error: Error) => {
      const text = messageOf(error, fallback);
      toastError(failedTitle, text);
      setRefusal({ text });
    },
  };
  return { refusal, handlers };
}
