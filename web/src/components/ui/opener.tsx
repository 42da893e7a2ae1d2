/**
 * The button of something whose code comes later. It is the same element before and after, so that it keeps the focus;
 * presses while it waits open one thing.
 */
import { Slot } from 'radix-ui';
import type { MouseEvent, ReactElement, RefObject } from 'react';

interface OpenerProps {
  ref?: RefObject<HTMLButtonElement | null>;
  opens: 'dialog' | 'menu';
  isOpen: boolean;
  /** Asked for, and not there yet. */
  isComing: boolean;
  onPress: () => void;
  children: ReactElement;
}

export function Opener({ ref, opens, isOpen, isComing, onPress, children }: OpenerProps) {
  const press = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // not every browser does so by itself, and there the focus returns to
    currentTarget.focus({ preventScroll: true });
    onPress();
  };
  return (
    <Slot.Root
      ref={ref}
      aria-haspopup={opens}
      aria-expanded={isOpen}
      {...(isComing && { 'aria-busy': true })}
      onClick={press}
    >
      {children}
    </Slot.Root>
  );
}
