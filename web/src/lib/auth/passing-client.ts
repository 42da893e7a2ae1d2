/**
 * A client without a memory, for calls that begin a session nobody keeps: whoever is signed in here stays it, also while
 * somebody else's address is confirmed.
 */
import { createClient } from '@supabase/supabase-js';
import { env } from '@/config/env';
import type { AppClient } from '@/lib/supabase';
import { newId } from '../ids';

export type PassingAuth = AppClient['auth'];

export async function withPassingClient<Result>(
  act: (auth: PassingAuth) => Promise<Result>,
): Promise<Result> {
  const { auth } = createClient(env.supabaseUrl, env.supabaseAnonKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storageKey: `passing-${newId()}`,
    },
  });
  return act(auth);
}
