/** For what is pressed and is no mutation: the second press of a double one is let go of. */
import { useCallback, useRef } from 'react';

/** `takePress()` answers whether a press counts; all others of the same moment do not. */
export function useOnePress(): () => boolean {
  const isTaken = useRef(false);
  return useCallback(() => {
    if (isTaken.current) return false;
    isTaken.current = true;
    setTimeout(() => (isTaken.current = false), 0);
    return true;
  }, []);
}
