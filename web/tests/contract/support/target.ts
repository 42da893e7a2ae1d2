// Where the contract is tested: a server of the run's own, or whatever SUPABASE_URL names (a hosted project, to prove the tests themselves).
// HTTP and websocket only; nothing here knows how the server is built.
import { inject } from 'vitest';

export interface Target {
  url: string;
  anonKey: string;
  serviceRoleKey: string;
  publishableKey: string;
  secretKey: string;
  outboxUrl: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    target: Target;
  }
}

export const target = (): Target => inject('target');
