/** Questions to `why`: what somebody may do with the rows of a table. */

import type { Caller } from './branch.js';

export type Command = 'select' | 'insert' | 'update' | 'delete';

export interface Question {
  as?: Caller;
  /** The new values. */
  row?: Record<string, unknown>;
  /** Which rows, as the data API is asked: `id=eq.1`. */
  where?: string;
}

export interface Reason {
  sentence: string;
  allowed: boolean | null;
  [key: string]: unknown;
}

const METHODS = { select: 'GET', insert: 'POST', update: 'PATCH', delete: 'DELETE' };

/** The request that is explained; a table of another schema has it in front of its name. */
export function asked(command: Command, table: string, { row, where }: Question): Record<string, unknown> {
  const [name = table, profile] = table.split('.').reverse();
  return {
    method: METHODS[command],
    path: `/${encodeURIComponent(name)}${where ? `?${where}` : ''}`,
    body: command === 'insert' || command === 'update' ? (row ?? {}) : undefined,
    profile,
  };
}
