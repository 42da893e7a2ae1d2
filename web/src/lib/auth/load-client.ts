/** The way to the client for whoever may do without it: its code comes when a session may be there. */
import type { AppClient } from './client-announcement';

/** Loads the client, and with it the session it finds. */
export async function loadClient(): Promise<AppClient> {
  return (await import('@/lib/supabase')).supabase;
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
