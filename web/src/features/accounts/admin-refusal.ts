/** Why the administrator's entry was refused, in its own words. */
import { adminLogin, adminSignUp } from '@/copy/admin';
import { errors } from '@/copy/errors';
import { AppError } from '@/lib/errors';
import { RefusedError, type Refusal } from './sign-in-failure';

export function signUpRefusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  return isForeseen(error) ? { title: adminSignUp.failed, text: error.message } : adminSignUp.unexpected;
}

/** The service said something; without words of its own, what happened is as unexpected as a crash here. */
function isForeseen(error: unknown): error is AppError {
  return error instanceof AppError && !error.message.startsWith(errors.unexpected);
}

export function loginRefusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  if (!isForeseen(error)) return { text: adminLogin.unexpected };
  if (error.code === 'invalid_credentials') return { text: adminLogin.invalid };
  if (error.code === 'email_not_confirmed') return { text: adminLogin.notConfirmed };
  return { text: adminLogin.failed(error.message) };
}
