/**
 * Cache rules for all reads: realtime marks data stale, so nothing polls; only an unreachable server is retried.
 * Whatever fails for want of a session, read or written, has the session looked at.
 */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { dropLostSession } from './auth/session';
import { NotAuthenticatedError, UnreachableError } from './errors';
import { watchReadings } from './realtime/readings';

const RETRIES = 2;

export function createQueryClient(): QueryClient {
  // Waits for nothing: the screen says what failed before it may have to go, and its reads with it.
  const onFailure = (error: Error) => {
    if (error instanceof NotAuthenticatedError) void dropLostSession().then((gone) => gone && client.clear());
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: onFailure }),
    mutationCache: new MutationCache({ onError: onFailure }),
    defaultOptions: {
      queries: {
        // Without a line a read fails and says so, and is made again when the line is back.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 30_000,
        retry: (failures, error) =>
          error instanceof UnreachableError && failures < RETRIES && navigator.onLine,
        retryDelay: (attempt) => Math.min(400 * 2 ** attempt, 4_000),
      },
      mutations: { retry: false },
    },
  });
  watchReadings(client.getQueryCache());
  return client;
}
