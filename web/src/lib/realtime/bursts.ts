/** Changes come in bursts: each is handled once it pauses, and the next one only after that is done. */
import type { Change } from './channel-registry';

const DEBOUNCE_MS = 150;

/** `handle` gets the kinds of change in a burst. */
export function inBursts(handle: (burst: ReadonlySet<Change>) => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let burst = new Set<Change>();
  let isBusy = false;
  const flush = async () => {
    if (isBusy) return;
    isBusy = true;
    const handled = burst;
    burst = new Set();
    try {
      await handle(handled);
    } finally {
      isBusy = false;
      if (burst.size > 0) wait();
    }
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), DEBOUNCE_MS);
  };
  const add = (change: Change) => {
    burst.add(change);
    wait();
  };
  const stop = () => {
    clearTimeout(timer);
    burst.clear();
  };
  return { add, stop };
}
