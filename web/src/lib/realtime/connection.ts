/** Which channels are open no more although somebody listens: then changes do not arrive. */
const interrupted = new Set<string>();
const listeners = new Set<() => void>();

/** `isOpen` is true also for a channel that nobody wants any more. */
export function reportChannel(name: string, isOpen: boolean): void {
  if (isOpen) interrupted.delete(name);
  else interrupted.add(name);
  listeners.forEach((listener) => listener());
}

export function isInterrupted(): boolean {
  return interrupted.size > 0;
}

export function onInterruption(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
