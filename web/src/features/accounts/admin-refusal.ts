/** Why the administrator's entry was refused, in its own words. */
import { adminLogin, adminSignUp } from '@/copy/admin';
import { AppError } from '@/lib/errors';
import { RefusedError, type Refusal } from './sign-in-failure';

export function signUpRefusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  return error instanceof AppError
    ? { title: adminSignUp.failed, text: error.message }
    : adminSignUp.unexpected;
}

export function loginRefusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  if (!(error instanceof AppError)) return { text: adminLogin.unexpected };
  if (error.code === 'invalid_credentials') return { text: adminLogin.invalid };
  if (error.code === 'email_not_confirmed') return { text: adminLogin.notConfirmed };
  return { text: adminLogin.failed(error.message) };
}
