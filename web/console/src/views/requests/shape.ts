/** What a list says of an event beside its title, and which requests are the same one over and over. */
import { isRequest, type DevEvent, type RequestEvent } from '../../dev/types';

const DATA_API = '/rest/v1/';
const FUNCTION = 'rpc/';
const SECOND_MS = 1_000;
/** That many of one shape within a second are hardly meant. */
const MANY = 3;

/** Table, function or bucket that a request is about. */
export function subjectOf({ data }: RequestEvent): string {
  const path = decoded(data.path);
  if (path.startsWith(DATA_API)) return path.slice(DATA_API.length).replace(FUNCTION, '');
  if (path.startsWith('/functions/v1/')) return path.split('/')[3] ?? '';
  const object = /^\/storage\/v1\/object\/(?:(?:public|sign|authenticated|list|info|upload)\/)*([^/]+)/.exec(
    path,
  );
  return object?.[1] ?? '';
}

/** Its address as short as it can be told apart: `rest/cars`. */
export function placeOf({ data }: RequestEvent): string {
  return decoded(data.path.replace(/^\/(\w+)\/v1\//, '$1/'));
}

/** Who asked, as a person says it. */
export function callerOf({ data }: RequestEvent): string {
  return data.caller?.email ?? data.caller?.role ?? '';
}

/** How often each request was asked within a second, with other values: told of the ones asked too often. */
export function repeats(events: readonly DevEvent[]): Map<number, number> {
  const groups = new Map<string, RequestEvent[]>();
  for (const event of events) {
    if (!isRequest(event) || event.data.method === 'OPTIONS') continue;
    const shape = shapeOf(event);
    const group = groups.get(shape);
    const last = group?.at(-1);
    if (group && last && Math.abs(Date.parse(last.at) - Date.parse(event.at)) <= SECOND_MS) group.push(event);
    else {
      // What came before of this shape is a group of its own.
      if (group) groups.set(`${shape} ${last?.seq ?? ''}`, group);
      groups.set(shape, [event]);
    }
  }
  const often = [...groups.values()].filter(({ length }) => length >= MANY);
  return new Map(often.flatMap((group) => group.map(({ seq }) => [seq, group.length] as const)));
}

const shapes = new WeakMap<RequestEvent, string>();

/** Without its values: `GET /rest/v1/cars?id=eq.` */
export function shapeOf(event: RequestEvent): string {
  const shape = shapes.get(event) ?? withoutValues(event);
  shapes.set(event, shape);
  return shape;
}

function withoutValues({ data }: RequestEvent): string {
  const names = data.query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => /^[^=]*=(?:not\.)?[a-z]*\.?/.exec(pair)?.[0] ?? pair)
    .sort();
  return `${data.method} ${data.path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '…')}?${names.join('&')}`;
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
