/**
 * The names under which the server's log knows requests that failed. The errors of supabase-js carry no headers, so they
 * are kept here by status: whoever was just refused finds the newest.
 */
const HEADER = 'x-request-id';

const newestByStatus = new Map<number, string>();

export function rememberRequest(status: number, requestId: string | null): void {
  if (requestId) newestByStatus.set(status, requestId);
  else newestByStatus.delete(status);
}

/** `undefined` where the newest failure of this status named no request. */
export function failedRequest(status: number | undefined): string | undefined {
  return status === undefined ? undefined : newestByStatus.get(status);
}

/** What fetch throws when the browser has no line. By its name the library does not try on for seven seconds. */
class OfflineError extends TypeError {
  override readonly name = 'AbortError';
}

/** The browser's fetch, which remembers what failed. */
export const tracedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init).catch((error: unknown) => {
    throw navigator.onLine ? error : new OfflineError('Failed to fetch', { cause: error });
  });
  if (!response.ok) rememberRequest(response.status, response.headers.get(HEADER));
  return response;
};
