import type { UseQueryResult } from '@tanstack/react-query';

/** What a tile shows: the figure, `undefined` while it is on its way, `null` when it could not be read. */
export function countOf({ data, isError }: UseQueryResult<number>): number | null | undefined {
  return data ?? (isError ? null : undefined);
}
