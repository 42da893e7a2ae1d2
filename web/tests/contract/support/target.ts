// Where the contract is tested: a branch of the file's own on the one server of the run, or its root.
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
    /** What a branch of the contract tests begins as; null where all tests share main. */
    ground: string | null;
    main: Target;
  }
}

let current: Target | undefined;

export function target(): Target {
  if (!current) throw new Error('No branch was opened for this file.');
  return current;
}

export function aimAt(chosen: Target): void {
  current = chosen;
}

/** For a file whose subject is what main and its branches are to each other. */
export function aimAtMain(): void {
  aimAt(inject('main'));
}

export function targetOf({
  url,
  anonKey,
  serviceRoleKey,
  publishableKey,
  secretKey,
}: Omit<Target, 'outboxUrl'>): Target {
  return { url, anonKey, serviceRoleKey, publishableKey, secretKey, outboxUrl: `${url}/_dev/outbox` };
}
