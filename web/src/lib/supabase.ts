/** The one client. Only lib/ and the data folders of features call it. */
import { createClient } from '@supabase/supabase-js';
import { env } from '@/config/env';
import { announceClient } from './auth/client-announcement';
import type { Database } from './database.types';
import { tracedFetch } from './request-trace';

export const supabase = createClient<Database>(env.supabaseUrl, env.supabaseAnonKey, {
  auth: { persistSession: true, autoRefreshToken: true, detectSessionInUrl: true },
  global: { fetch: tracedFetch },
});

export type AppClient = typeof supabase;

announceClient(supabase);
