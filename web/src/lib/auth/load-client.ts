/** The way to the client for whoever may do without it: its code comes when a session may be there. */
import { errors } from '@/copy/errors';
import { UnreachableError } from '@/lib/errors';
import type { AppClient } from './client-announcement';

/** Loads the client, and with it the session it finds. */
export async function loadClient(): Promise<AppClient> {
  return (await arrived(import('@/lib/supabase'))).supabase;
}

export function loadPassingClient() {
  return arrived(import('./passing-client'));
}

/** Each browser has its own words for code that does not come. */
async function arrived<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (failure) {
    throw new UnreachableError(errors.offline, undefined, { cause: failure });
  }
}

const SESSION_KEY = /^sb-.+-auth-token/;
const AUTH_PARAMETER = /[#&?](access_token|error_description|code)=/;

export function hasStoredSession(): boolean {
  return Object.keys(localStorage).some((key) => SESSION_KEY.test(key));
}

/** A session is stored, or a link from a mail carries one. */
export function mayHaveSession(): boolean {
  return hasStoredSession() || AUTH_PARAMETER.test(window.location.href);
}
