/** Holds back a person who leaves a form with changes: by a link until they answer, by closing the tab as browsers ask. */
import { useEffect, useState } from 'react';
import { useNavigation } from '@/lib/navigation/navigation';

export interface LeaveQuestion {
  isAsked: boolean;
  leave: () => void;
  stay: () => void;
}

export function useUnsavedChanges(hasChanges: () => boolean): LeaveQuestion {
  const { guards } = useNavigation();
  const [held, setHeld] = useState<{ leave: () => void } | null>(null);
  useEffect(
    () =>
      guards.add({
        holds: (from, to) => from !== to && hasChanges(),
        ask: (leave) => setHeld({ leave }),
      }),
    [guards, hasChanges],
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasChanges()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasChanges]);
  const stay = () => setHeld(null);
  const leave = () => {
    setHeld(null);
    held?.leave();
  };
  return { isAsked: held !== null, leave, stay };
}
