/** Why a sign-in was refused, as the person reads it: title and text, or a text alone. */
import { signIn, combined } from '@/copy/auth';
import { messageOf } from '@/lib/errors';
import { AppError } from '@/lib/errors';

export interface Refusal {
  title?: string;
  text: string;
}

/** Thrown when the service let the person in and this door does not. */
export class RefusedError extends AppError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.text);
    this.refusal = refusal;
  }
}

export function refusalOf(error: unknown, door: 'dedicated' | 'combined'): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  const code = error instanceof AppError ? error.code : undefined;
  const text = messageOf(error);
  if (code === 'invalid_credentials' || /invalid login credentials/i.test(text)) {
    return door === 'dedicated' ? signIn.invalid : { text: combined.invalid };
  }
  if (code === 'email_not_confirmed' || /email not confirmed/i.test(text)) return signIn.notConfirmed;
  return { text };
}

/** One line for a toast's description. */
export function sentence({ title, text }: Refusal): string {
  return title ? `${title}: ${text}` : text;
}
