/** What a press opens and nobody sees before: it comes when the browser rests, and a press before that waits for it. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { errors } from '@/copy/errors';
import type { Late } from '@/lib/late';
import { toastError } from '@/lib/toast';
import { useWhenIdle } from './use-idle';

/** `onFailed` is told where it does not come; the person has read why. */
export function useLate<Module>(part: Late<Module>, isWanted: boolean, onFailed: () => void) {
  const module = useSyncExternalStore(part.onArrival, part.arrived);
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
  useWhenIdle(part.load);
  useEffect(() => {
    if (!isWanted || part.arrived()) return;
    let isAwaited = true;
    part.load().catch((failure: unknown) => {
      console.warn('Something to open could not be loaded', failure);
      if (!isAwaited) return;
      toastError(errors.title, errors.offline);
      failed.current();
    });
    return () => {
      isAwaited = false;
    };
  }, [part, isWanted]);
  return module;
}
