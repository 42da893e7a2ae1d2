/**
 * Lets the auth provider follow the client without making every visitor download it: whoever has no session and
 * stays on the landing page never needs it. The client announces itself when something first loads it.
 */
import type { AppClient } from '@/lib/supabase';

type Listener = (client: AppClient) => void;

let announced: AppClient | null = null;
const listeners = new Set<Listener>();

export function announceClient(client: AppClient): void {
  announced = client;
  listeners.forEach((listener) => listener(client));
}

export function onClient(listener: Listener): () => void {
  listeners.add(listener);
  if (announced) listener(announced);
  return () => listeners.delete(listener);
}

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
