/** Asks before a form with changes is left, by a link as well as by closing the tab. */
import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { app } from '@/copy/app';

/** Answers true when the person does not mind losing the changes. */
export function useUnsavedChanges(hasChanges: () => boolean): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasChanges() && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (window.confirm(app.unsaved)) blocker.proceed();
    else blocker.reset();
  }, [blocker]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasChanges()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasChanges]);
}
