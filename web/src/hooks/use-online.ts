/** Whether this browser has a line, and whether live changes arrive. */
import { useSyncExternalStore } from 'react';
import { isInterrupted, onInterruption } from '@/lib/realtime/connection';
import { useDebounced } from './use-debounced';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

export type Connection = 'online' | 'offline' | 'reconnecting';

/** A break that mends itself at once is not worth a word. */
const PATIENCE_MS = 1_500;

export function useConnection(): Connection {
  const isOnline = useOnline();
  const isDown = useSyncExternalStore(onInterruption, isInterrupted);
  const hasBeenDown = useDebounced(isDown, PATIENCE_MS);
  if (!isOnline) return 'offline';
  return isDown && hasBeenDown ? 'reconnecting' : 'online';
}
