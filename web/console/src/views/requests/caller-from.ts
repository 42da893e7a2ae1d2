import type { Caller } from '../../dev/types';

/** How a caller is said; the same is who asked. */
export type Kind = 'same' | 'anon' | 'service_role' | 'user' | 'claims' | 'token';

/** Without a caller as who asked, without a body with the one that was sent. */
export interface Again {
  as?: Caller;
  body?: unknown;
}

/** The caller that was typed; undefined where that is none. */
export function callerFrom(kind: Kind, typed: string): Caller | 'same' | undefined {
  const text = typed.trim();
  if (kind === 'same' || kind === 'anon' || kind === 'service_role') return kind;
  if (text === '') return undefined;
  if (kind === 'user') return { user: text };
  return kind === 'token' ? { token: text } : claimsFrom(text);
}

function claimsFrom(text: string): Caller | undefined {
  try {
    const claims: unknown = JSON.parse(text);
    return claims !== null && typeof claims === 'object' && !Array.isArray(claims)
      ? { claims: claims as Record<string, unknown> }
      : undefined;
  } catch {
    return undefined;
  }
}
