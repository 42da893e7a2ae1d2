/**
 * Which words of a failure a person may read. Sentences that our own functions raise are written for people and stay;
 * what PostgreSQL, PostgREST or the storage say of themselves is told in other words, or not at all.
 */
import { errors as copy } from '@/copy/errors';

interface Origin {
  name: string;
  code: string;
  status: number;
}

export interface FailureWords {
  name?: string | undefined;
  message?: string | undefined;
  code?: string | undefined;
  status?: number | undefined;
}

type Kind = keyof typeof copy.byKind;

/** How the machines word what has no code on its way here, or a code that our own functions use too. */
const KIND_BY_WORDS: readonly [RegExp, Kind][] = [
  [/row-level security|permission denied for|^must be owner|^Column ".*" of ".*" cannot be changed/, '42501'],
  [/duplicate key value/, '23505'],
  [/violates foreign key constraint/, '23503'],
  [/violates not-null constraint/, '23502'],
  [/violates (check|exclusion) constraint|violates check option/, '23514'],
  [/numeric field overflow|out of range/, '22003'],
  [/value too long for type/, '22001'],
  [/^invalid input (syntax|value)/, '22P02'],
  [/exceeded the maximum allowed size|payload too large/i, '413'],
  [/mime type .* is not supported/i, '415'],
];

/** Codes under which our own functions speak to people. */
const OWN_CODES = new Set(['P0001', 'P0002', '22023', '42501', '23514']);

/** What the auth service says about itself and nobody can act on. */
const INWARD_AUTH_CODES = new Set([
  'unexpected_failure',
  'bad_json',
  'conflict',
  'hook_timeout',
  'request_timeout',
]);

/** What a mistake of this program throws. */
const BUGS = /^(Type|Reference|Range|Syntax|Zod)Error$/;

const SQLSTATE = /^[0-9A-Z]{5}$/;
const LONGEST = 400;

/** `undefined` where nothing that is known helps. */
export function helpfulText({ name = '', message, code = '', status = 0 }: FailureWords): string | undefined {
  const words = message?.trim() ?? '';
  const byWords = KIND_BY_WORDS.find(([pattern]) => pattern.test(words))?.[1];
  const isOurFault = BUGS.test(name);
  if (!byWords && !isOurFault && isForPeople(words, { name, code, status })) return words;
  const kind = byWords ?? kindOf(code, status);
  return kind && copy.byKind[kind];
}

function kindOf(code: string, status: number): Kind | undefined {
  return [code, String(status)].find((name): name is Kind => name in copy.byKind);
}

/** The auth service and its library speak to people also when it is they who failed. */
function isForPeople(words: string, { name, code, status }: Origin): boolean {
  if (!isText(words) || code.startsWith('PGRST') || INWARD_AUTH_CODES.has(code)) return false;
  return SQLSTATE.test(code) ? OWN_CODES.has(code) : status < 500 || name.startsWith('Auth');
}

/** '{}', a page of HTML, a single word and the parser's complaints about them are no text for people. */
function isText(words: string): boolean {
  return (
    words.length <= LONGEST && /^[^{[<]*\s[^{[<]*$/.test(words) && !/\bJSON\b|Unexpected token/.test(words)
  );
}
