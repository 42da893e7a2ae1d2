/** Cache rules for all reads: realtime marks data stale, so nothing polls; only an unreachable server is retried. */
import { QueryClient } from '@tanstack/react-query';
import { UnreachableError } from './errors';

const RETRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => error instanceof UnreachableError && failures < RETRIES,
        retryDelay: (attempt) => Math.min(400 * 2 ** attempt, 4_000),
      },
      mutations: { retry: false },
    },
  });
}
