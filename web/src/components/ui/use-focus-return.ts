/** Gives the focus back to what opened a dialog; the primitive itself knows only a trigger that it drew. */
import { useRef } from 'react';

export function useFocusReturn() {
  const opener = useRef<Element | null>(null);
  return {
    remember: () => {
      opener.current = openerOf(document.activeElement);
    },
    giveBack: () => {
      // The page has not moved meanwhile, and must not for a button of the bar, which stands where no part of a page
      // is scrolled to.
      if (opener.current instanceof HTMLElement && opener.current.isConnected)
        opener.current.focus({ preventScroll: true });
    },
  };
}

/** An entry of a menu is gone with it; what opened the menu stays. */
function openerOf(focused: Element | null): Element | null {
  const trigger = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return trigger ? document.getElementById(trigger) : focused;
}
