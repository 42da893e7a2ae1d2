/** Leads a person whose form was refused to the first field that must change. */
import { useEffect, useRef, type RefObject } from 'react';

/** `attempt` grows with every press that was refused; 0 is none. */
export function useFocusOnComplaint(attempt: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempt === 0) return;
    const refused = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const control = refused?.matches('[role="radiogroup"]')
      ? refused.querySelector<HTMLElement>('[role="radio"]')
      : refused;
    control?.focus();
  }, [attempt]);
  return form;
}
