/** Whether browser and line have come to rest since: what nobody sees at first waits for it. */
import { useEffect } from 'react';

const FALLBACK_MS = 500;
const PATIENCE_MS = 2_000;

/** Fetches what a press may ask for, so that the press need not wait. One that does not come is asked for again then. */
export function useWhenIdle(load: () => Promise<unknown>): void {
  useEffect(() => whenIdle(() => fetchAhead(load)), [load]);
}

/** Of no use without a line, which would be told as a failure. */
export function fetchAhead(load: () => Promise<unknown>): void {
  if (navigator.onLine) void load().catch(() => undefined);
}

/** Answers how to call it off. While the page itself is still coming, everything else would take of its line. */
function whenIdle(act: () => void): () => void {
  if (document.readyState === 'complete') return whenResting(act);
  let callOff = () => window.removeEventListener('load', begin);
  const begin = () => {
    callOff = whenResting(act);
  };
  window.addEventListener('load', begin, { once: true });
  return () => callOff();
}

function whenResting(act: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(act, { timeout: PATIENCE_MS });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(act, FALLBACK_MS);
  return () => clearTimeout(timer);
}
