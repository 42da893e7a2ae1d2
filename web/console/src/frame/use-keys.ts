/** Keys of a view and of the frame. Nothing happens while somebody types, or where a dialog is open. */
import { useEffect, useEffectEvent } from 'react';

/** By key, or by two with a blank between: `g r`. */
export type Keys = Record<string, () => void>;

const PAIR_MS = 1_000;

export function useKeys(keys: Keys): void {
  const press = useEffectEvent((name: string): boolean => {
    keys[name]?.();
    return name in keys;
  });
  useEffect(() => {
    let first = '';
    let at = 0;
    const listen = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTaken(event)) return;
      const pair = event.timeStamp - at < PAIR_MS ? `${first} ${event.key}` : '';
      [first, at] = [event.key, event.timeStamp];
      if ((pair !== '' && press(pair)) || press(event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role=dialog], [role=menu], [role=listbox]')) return true;
  if (target.matches('input, textarea, select, [contenteditable=true]')) return true;
  return key === 'Enter' && target.matches('a, button');
}
