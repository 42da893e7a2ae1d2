/** Holds back a person who leaves a form with changes: by a link until they answer, by closing the tab as browsers ask. */
import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';

export interface LeaveQuestion {
  isAsked: boolean;
  leave: () => void;
  stay: () => void;
}

export function useUnsavedChanges(hasChanges: () => boolean): LeaveQuestion {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasChanges() && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasChanges()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasChanges]);
  return {
    isAsked: blocker.state === 'blocked',
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  };
}
