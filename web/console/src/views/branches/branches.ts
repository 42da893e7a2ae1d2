/** The branches of the server with what its list tells of them, and its snapshots. */
import { queryOptions } from '@tanstack/react-query';
import { call, MAIN } from '../../dev/api';
import { keys } from '../../dev/queries';
import type { Branch } from '../../dev/types';

/** `idle_s`, `ttl` and `clock.offset_s` are seconds; a ttl of 0 is for ever. */
export interface BranchRow extends Branch {
  ttl: number;
  anon_key: string;
  db_url: string;
  size_bytes: number | null;
  requests: number;
  idle_s: number;
  clock: { now: string; offset_s: number; frozen: boolean };
  faults: number;
}

export interface Branches {
  branches: BranchRow[];
  limit: number;
  leaving: number;
}

export interface Snapshot {
  name: string;
  of: string;
  bytes: number;
  files: number;
  created_at: string;
}

/** What is changed here is read anew by the choice in the bar, too: its key begins with the same word. */
export const rowsQuery = queryOptions({
  queryKey: [...keys.branches, 'figures'],
  queryFn: ({ signal }) => call<Branches>(MAIN, '/branches?figures=true', { signal }),
});

export const snapshotsQuery = queryOptions({
  queryKey: [...keys.branches, 'snapshots'],
  queryFn: async ({ signal }) =>
    (await call<{ snapshots: Snapshot[] }>(MAIN, '/snapshots', { signal })).snapshots,
});

/** What a new branch, or one that is reset, may begin as: `chosen` too, which may be gone; not `without`, itself. */
export function sourcesOf(
  rows: readonly Pick<BranchRow, 'id'>[],
  snapshots: readonly Pick<Snapshot, 'name'>[],
  chosen: string,
  without?: string,
): string[] {
  const branches = rows.map(({ id }) => id).filter((id) => id !== without);
  return [
    ...new Set(['base', MAIN, ...snapshots.map(({ name }) => `snapshot:${name}`), ...branches, chosen]),
  ];
}

/** As people say a source. */
export function sourceText(source: string): string {
  if (source === 'base') return 'base: migrations, seed and users';
  return source.startsWith('snapshot:') ? `snapshot ${source.slice('snapshot:'.length)}` : source;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** Seconds in the largest unit that fits: `5 s`, `3 min`, `2 h`, `4 d`. */
export function spanText(seconds: number): string {
  const found = UNITS.find(([, length]) => seconds >= length);
  return found ? `${Math.floor(seconds / found[1])} ${found[0]}` : `${Math.max(0, Math.floor(seconds))} s`;
}

/** Bytes in MB, as disks are counted. */
export function sizeText(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1_000
    ? `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB`
    : `${(megabytes / 1_000).toFixed(1)} GB`;
}

/** How long a branch that nobody uses is still there; `at` is when that was told. */
export function leftText({ expires_at }: Pick<Branch, 'expires_at'>, at: number): string {
  if (expires_at === null) return 'stays until the server ends';
  return `goes in ${spanText((Date.parse(expires_at) - at) / 1_000)} unless it is used`;
}

/** Seconds since it was made, when it was told of. */
export function ageOf({ created_at }: Pick<Branch, 'created_at'>, at: number): number {
  return (at - Date.parse(created_at)) / 1_000;
}

/** The ttl as a person would type it: `15m`, `90s`, `0`. */
export function ttlText(seconds: number): string {
  if (seconds === 0) return '0';
  const whole = (
    [
      ['d', 86_400],
      ['h', 3_600],
      ['m', 60],
    ] as const
  ).find(([, length]) => seconds % length === 0);
  return whole ? `${seconds / whole[1]}${whole[0]}` : `${seconds}s`;
}
