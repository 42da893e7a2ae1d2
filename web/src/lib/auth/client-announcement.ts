/**
 * Lets the auth provider follow the client without making every visitor download it: whoever has no session and
 * stays on the landing page never needs it. The client announces itself when something first loads it.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '../database.types';

export type AppClient = SupabaseClient<Database>;

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
