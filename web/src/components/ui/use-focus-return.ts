/** Gives the focus back to what opened a dialog; the primitive itself knows only a trigger that it drew. */
import { useRef } from 'react';

export function useFocusReturn() {
  const opener = useRef<Element | null>(null);
  return {
    remember: () => {
      opener.current = openerOf(document.activeElement);
    },
    giveBack: () => {
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
    },
  };
}

/** An entry of a menu is gone with it; what opened the menu stays. */
function openerOf(focused: Element | null): Element | null {
  const trigger = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return trigger ? document.getElementById(trigger) : focused;
}
