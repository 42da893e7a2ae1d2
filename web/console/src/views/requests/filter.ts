/**
 * The words of the filter: `status:4xx table:cars user:anna slow:>50ms`. A word without a colon is looked for in the
 * title; all of them have to fit. Other events than requests and sockets are shown where a kind is asked for.
 */
import { isRequest, type DevEvent, type Kind, type RequestEvent } from '../../dev/types';
import { callerOf, subjectOf } from './shape';

type Fits = (event: DevEvent) => boolean;

export interface Filter {
  fits: Fits;
  /** Words that mean nothing, as they were typed. */
  unknown: readonly string[];
}

export const WORDS = ['status', 'table', 'user', 'slow', 'room', 'method', 'kind'] as const;

const ASKED = new Set<Kind>(['request', 'socket']);
const ANY = 'any';

export function parseFilter(typed: string): Filter {
  const words = typed.split(/\s+/).filter((word) => word !== '');
  const parsed = words.map((word) => [word, parseWord(word)] as const);
  const known = parsed.flatMap(([, fits]) => (fits ? [fits] : []));
  if (!words.some((word) => /^kind:./i.test(word))) known.push(({ kind }) => ASKED.has(kind));
  return {
    fits: (event) => known.every((fits) => fits(event)),
    unknown: parsed.flatMap(([word, fits]) => (fits ? [] : [word])),
  };
}

function parseWord(word: string): Fits | undefined {
  const colon = word.indexOf(':');
  const name = colon === -1 ? '' : word.slice(0, colon).toLowerCase();
  const value = word.slice(colon + 1).toLowerCase();
  if (!(WORDS as readonly string[]).includes(name)) {
    const part = word.toLowerCase();
    return ({ title }) => title.toLowerCase().includes(part);
  }
  return value === '' ? undefined : byName(name, value);
}

function byName(name: string, value: string): Fits | undefined {
  switch (name) {
    case 'status':
      return byStatus(value);
    case 'slow':
      return bySpeed(value);
    case 'kind':
      return ({ kind }) => value === ANY || kind === value;
    case 'room':
      return ofRequests(({ data }) => data.room === value);
    case 'method':
      return ofRequests(({ data }) => data.method.toLowerCase() === value);
    case 'table':
      return ofRequests((event) => subjectOf(event).toLowerCase() === value);
    default:
      return ofRequests(
        (event) => callerOf(event).toLowerCase().includes(value) || event.data.caller?.sub === value,
      );
  }
}

/** `404`, `4xx`, `>=400`. */
function byStatus(value: string): Fits | undefined {
  const group = /^([1-5])xx$/.exec(value);
  if (group) return ofRequests(({ data }) => Math.floor(data.status / 100) === Number(group[1]));
  const compare = comparison(value);
  return compare && ofRequests(({ data }) => compare(data.status));
}

/** `>50ms`, `>1.5s`; without a sign it is the least. */
function bySpeed(value: string): Fits | undefined {
  const parts = /^([<>]=?)?(\d+(?:\.\d+)?)(ms|s)?$/.exec(value);
  if (!parts) return undefined;
  const ms = Number(parts[2]) * (parts[3] === 's' ? 1_000 : 1);
  const compare = comparison(`${parts[1] ?? '>='}${ms}`);
  return compare && ((event) => event.ms !== null && compare(event.ms));
}

function comparison(value: string): ((number: number) => boolean) | undefined {
  const parts = /^([<>]=?)?(\d+(?:\.\d+)?)$/.exec(value);
  if (!parts) return undefined;
  const limit = Number(parts[2]);
  switch (parts[1]) {
    case '>':
      return (number) => number > limit;
    case '>=':
      return (number) => number >= limit;
    case '<':
      return (number) => number < limit;
    case '<=':
      return (number) => number <= limit;
    default:
      return (number) => number === limit;
  }
}

function ofRequests(fits: (event: RequestEvent) => boolean): Fits {
  return (event) => isRequest(event) && fits(event);
}
