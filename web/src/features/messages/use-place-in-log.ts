/** Keeps a log where it is being read, measured from its end: what is added above or below does not move the text. */
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

interface PlaceInLog {
  log: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
}

/** `newest` brings the reader to the end; `shown` is how many entries there are, of which the oldest may be new. */
export function usePlaceInLog(newest: string | undefined, shown: number): PlaceInLog {
  const log = useRef<HTMLDivElement>(null);
  const below = useRef(0);
  useLayoutEffect(() => restore(log.current, below.current), [shown]);
  useLayoutEffect(() => {
    below.current = 0;
    restore(log.current, 0);
  }, [newest]);
  useEffect(() => {
    if (!log.current) return;
    // The field below takes room as it grows.
    const observer = new ResizeObserver(() => restore(log.current, below.current));
    observer.observe(log.current);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    if (log.current) below.current = distanceToEnd(log.current);
  };
  return { log, onScroll };
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}

function restore(log: HTMLElement | null, below: number): void {
  if (log) log.scrollTop = log.scrollHeight - log.clientHeight - below;
}
