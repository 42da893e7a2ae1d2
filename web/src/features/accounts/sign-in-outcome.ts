/** What comes of a sign-in: why it was refused, as the person reads it, or the page that follows. */
import { dashboardPath, emailVerificationPath, isUserType, paths, type UserType } from '@/config/paths';
import { combined, emailVerification, signIn } from '@/copy/auth';
import { AppError, messageOf } from '@/lib/errors';

/** Title and text, or a text alone. */
export interface Refusal {
  title?: string;
  text: string;
  /** What to do about it. */
  way?: Way;
}

/** A link out of a refusal; the page behind it finds what was typed in the navigation state. */
interface Way {
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

/** Where a person goes after the sign-in: to the page a guard sent them away from, or to the dashboard. */

/** `state` is what the guard handed over. Pages of the other kind of account are not gone back to. */
export function pageAfterSignIn(state: unknown, userType: string | null): string {
  const from = (state as { from?: unknown } | null)?.from;
  const isOwn = typeof from === 'string' && isUserType(userType) && isOpenTo(userType, from);
  return isOwn ? from : (dashboardPath(userType) ?? paths.home);
}

const PUBLIC_PROFILE = /^\/(agent|importer)\/profile\/[^/]+/;

function isOpenTo(userType: string, path: string): boolean {
  return path.startsWith(`/${userType}/`) || PUBLIC_PROFILE.test(path);
}
