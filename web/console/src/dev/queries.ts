/** What the console keeps of the control API's answers. Whoever adds a call adds it here, with its branch in the key. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call, MAIN, type BranchId } from './api';
import type { Branch, Clock, Explanation, Fault, WholeRequest } from './types';

export const keys = {
  branches: ['branches'] as const,
  clock: (branch: BranchId) => ['clock', branch] as const,
  faults: (branch: BranchId) => ['faults', branch] as const,
  request: (branch: BranchId, id: string) => ['request', branch, id] as const,
  why: (branch: BranchId, id: string) => ['why', branch, id] as const,
};

/** None where the server makes no branches. */
export const branchesQuery = queryOptions({
  queryKey: keys.branches,
  queryFn: async ({ signal }) => {
    try {
      return (await call<{ branches: Branch[] }>(MAIN, '/branches', { signal })).branches;
    } catch (error) {
      if (error instanceof ApiError && [404, 501].includes(error.status)) return [];
      throw error;
    }
  },
});

export function clockQuery(branch: BranchId) {
  return queryOptions({
    queryKey: keys.clock(branch),
    queryFn: ({ signal }) => call<Clock>(branch, '/clock', { signal }),
  });
}

export function faultsQuery(branch: BranchId) {
  return queryOptions({
    queryKey: keys.faults(branch),
    queryFn: ({ signal }) => call<Fault[]>(branch, '/faults', { signal }),
  });
}

/** It does not change any more, but for what it led to. */
export function requestQuery(branch: BranchId, id: string) {
  return queryOptions({
    queryKey: keys.request(branch, id),
    queryFn: ({ signal }) => call<WholeRequest>(branch, `/requests/${encodeURIComponent(id)}`, { signal }),
  });
}

export function whyQuery(branch: BranchId, id: string) {
  return queryOptions({
    queryKey: keys.why(branch, id),
    queryFn: ({ signal }) => call<Explanation>(branch, `/requests/${encodeURIComponent(id)}/why`, { signal }),
    staleTime: Infinity,
  });
}
