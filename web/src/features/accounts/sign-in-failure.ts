/** Why a sign-in was refused, as the person reads it: title and text, or a text alone. */
import { emailVerificationPath, paths, type UserType } from '@/config/paths';
import { combined, emailVerification, signIn } from '@/copy/auth';
import { messageOf } from '@/lib/errors';
import { AppError } from '@/lib/errors';

export interface Refusal {
  title?: string;
  text: string;
  /** What to do about it. */
  way?: Way;
}

/** A link out of a refusal; the page behind it finds what was typed in the navigation state. */
export interface Way {
  text: string;
  to: string;
  state?: unknown;
}

/** Thrown when the service let the person in and this door does not. */
export class RefusedError extends AppError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.text);
    this.refusal = refusal;
  }
}

/** `door` is null at the combined page; `email` is the address that was typed. */
export function refusalOf(error: unknown, door: UserType | null, email = ''): Refusal {
  const refusal = plainRefusalOf(error, door);
  const way = wayOutOf(refusal, door, email);
  return way ? { ...refusal, way } : refusal;
}

function plainRefusalOf(error: unknown, door: UserType | null): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  const code = error instanceof AppError ? error.code : undefined;
  const text = messageOf(error);
  if (code === 'invalid_credentials' || /invalid login credentials/i.test(text)) {
    return door ? signIn.invalid : { text: combined.invalid };
  }
  if (code === 'email_not_confirmed' || /email not confirmed/i.test(text)) return signIn.notConfirmed;
  return { text };
}

function wayOutOf({ title }: Refusal, door: UserType | null, email: string): Way | undefined {
  const state = { email };
  if (title === signIn.notConfirmed.title) {
    const to = door ? emailVerificationPath(door) : paths.emailVerification;
    return { text: emailVerification.open, to, state };
  }
  if (!door || title !== signIn[door].wrongDoor.title) return undefined;
  const other = door === 'agent' ? 'importer' : 'agent';
  return { text: signIn[door].otherDoorLink, to: paths[other].signIn, state };
}

/** One line for a toast's description. */
export function sentence({ title, text }: Refusal): string {
  return title ? `${title}: ${text}` : text;
}
