/** A line at the top while the next screen is fetched: on a slow line a press would seem to do nothing. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { app } from '@/copy/app';
import type { Navigation } from '@/lib/navigation/navigation';

/** A screen that is there at once needs no sign. */
const PATIENCE_MS = 150;

export function NavigationProgress({ navigation }: { navigation: Navigation }) {
  const isOpening = useSyncExternalStore(navigation.subscribe, navigation.isOpening);
  return isOpening ? <Line /> : null;
}

function Line() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div
      role="progressbar"
      aria-label={app.opening}
      className="fixed inset-x-0 top-0 z-[60] h-1 overflow-hidden bg-primary/20"
    >
      <div className="h-full w-1/3 animate-opening bg-primary motion-reduce:w-full motion-reduce:animate-none" />
    </div>
  );
}
