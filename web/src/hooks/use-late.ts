/**
 * What nobody sees at first: it comes when the browser rests, and after a lost line when there is one again. A press
 * before that waits for it.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { errors } from '@/copy/errors';
import type { Late } from '@/lib/late';
import { toastError } from '@/lib/toast';
import { useWhenIdle } from './use-idle';

/** What has come of it. */
export function useLate<Module>(part: Late<Module>): Module | undefined {
  const module = useSyncExternalStore(part.onArrival, part.arrived);
  useWhenIdle(part.load);
  useEffect(() => {
    const onOnline = () => void part.load().catch(() => undefined);
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [part]);
  return module;
}

/** The same for what a press opens. `onFailed` is told where it does not come; the person has read why. */
export function useLateOpening<Module>(part: Late<Module>, isWanted: boolean, onFailed: () => void) {
  const module = useLate(part);
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
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
