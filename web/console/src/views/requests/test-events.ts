/** Events for tests, with what matters to them. */
import type { DevEvent, Kind, RequestEvent } from '../../dev/types';

interface Wanted {
  path?: string;
  query?: string;
  method?: string;
  status?: number;
  email?: string;
  ms?: number;
  at?: string;
}

let seq = 0;

export function requestEvent(wanted: Wanted = {}): RequestEvent {
  const { path = '/rest/v1/cars', query = '', method = 'GET', status = 200, email, ms = 1 } = wanted;
  seq += 1;
  const data = {
    ...{ method, path, query, status, room: path.split('/')[1] ?? '' },
    caller: email ? { role: 'authenticated', email } : { role: 'anon' },
    ...{ code: null, message: null, hint: null, stages: {}, fault: null },
  };
  const title = `${method} ${path} ${status}`;
  const at = wanted.at ?? '2026-01-01T00:00:00.000Z';
  return { seq, at, kind: 'request', id: `id-${seq}`, cause: null, level: 'info', title, ms, data };
}

export function otherEvent(kind: Kind, title: string): DevEvent {
  seq += 1;
  return {
    ...{ seq, kind, title, at: '2026-01-01T00:00:00.000Z', id: null, cause: null, level: 'info', ms: null },
    data: {},
  };
}
