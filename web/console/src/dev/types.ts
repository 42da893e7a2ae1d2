/** What `/_dev/v1` answers; the shapes are those of docs/how-to/look-at-requests.md and understand-a-refusal.md. */

export type Kind =
  | 'request'
  | 'socket'
  | 'message'
  | 'change'
  | 'cron'
  | 'webhook'
  | 'function'
  | 'fault'
  | 'clock'
  | 'log'
  | 'branch';
export type Level = 'info' | 'warn' | 'error';

/** `ms` are milliseconds; `cause` is the id of the request that led to it. */
export interface DevEvent {
  seq: number;
  at: string;
  kind: Kind;
  id: string | null;
  cause: string | null;
  level: Level;
  title: string;
  ms: number | null;
  data: Record<string, unknown>;
}

export interface RequestCaller {
  role?: string;
  sub?: string;
  email?: string;
  aal?: string;
}

/** Of a request as the list has it; an event of another kind has other data. */
export interface RequestData {
  method: string;
  path: string;
  query: string;
  room: string;
  status: number;
  caller: RequestCaller | null;
  code: string | null;
  message: string | null;
  hint: string | null;
  /** Milliseconds by name, in the order they passed. */
  stages: Record<string, number>;
  fault: string | null;
}

export interface Body {
  type: string;
  bytes: number;
  text: string | null;
  truncated: boolean;
}

export interface WholeData extends RequestData {
  statement: string | null;
  values: (string | null)[];
  prefer: string | null;
  request: Body | null;
  response: Body | null;
}

export interface RequestEvent extends DevEvent {
  kind: 'request';
  id: string;
  data: DevEvent['data'] & RequestData;
}

export interface WholeRequest extends DevEvent {
  id: string;
  data: DevEvent['data'] & WholeData;
  led_to: DevEvent[];
}

export interface Part {
  text: string;
  verdict: boolean | null;
  /** What its sides were, by their texts. */
  values: Record<string, string | null>;
}

export interface PolicyVerdict {
  name: string;
  permissive: boolean;
  applies: boolean;
  verdict: boolean | null;
  error?: string | null;
  parts: Part[];
}

export interface Step {
  rule: string;
  on: string;
  allowed: boolean | null;
  policies: PolicyVerdict[];
}

export interface Explanation {
  sentence: string;
  allowed: boolean | null;
  command: string | null;
  table: string | null;
  caller: { role?: string };
  privileges: { ok: boolean; missing: string[] };
  rows: { matching: number; visible: number; sampled: number };
  steps: Step[];
  notes: string[];
}

/** A node as EXPLAIN tells it; actual figures are there where it was run. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Function Name'?: string;
  'CTE Name'?: string;
  'Subplan Name'?: string;
  'Total Cost': number;
  'Plan Rows': number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Actual Total Time'?: number;
  Filter?: string;
  'Index Cond'?: string;
  'One-Time Filter'?: string;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

export interface Planned {
  analyzed: boolean;
  writes: boolean;
  role: string;
  plan: PlanNode;
  planning_ms: number | null;
  execution_ms: number | null;
}

/** As whom a request is sent again. */
export type Caller =
  'anon' | 'service_role' | { user: string } | { claims: Record<string, unknown> } | { token: string };

export interface Replayed {
  id: string | null;
  status: number | null;
  ms: number | null;
  caller: RequestCaller | null;
  headers: Record<string, string>;
  body: Body | null;
}

/** What a row change tells; `lag_ms` is null where triggers tell of changes. */
export interface ChangeData {
  key: Record<string, string | null>;
  delivered: number;
  subscribed: number;
  lag_ms: number | null;
}

export interface Clock {
  now: string;
  real: string;
  offset_s: number;
  frozen: boolean;
  sql: 'on' | 'off' | 'unavailable';
  next_due: { what: string; at: string }[];
}

export interface Fault {
  id: string;
  where: string;
  match: Record<string, unknown>;
  do: Record<string, unknown>;
  times: number | null;
}

export interface Branch {
  id: string;
  url: string;
  label: string;
  from: string;
  created_at: string;
  expires_at: string | null;
}

export function isRequest(event: DevEvent): event is RequestEvent {
  return event.kind === 'request' && event.id !== null;
}
