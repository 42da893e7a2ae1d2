import { Popover } from 'radix-ui';
import { useRef, type ReactNode, type RefObject } from 'react';
import { PopoverContent } from './popover';

interface OpenPopoverProps {
  label: string;
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** The button is not the primitive's own: a press on it closes by itself, and Escape gives it the focus back. */
export function OpenPopover({ label, opener, onClose, children }: OpenPopoverProps) {
  const wasLeft = useRef(false);
  const isOpener = (target: EventTarget | null) =>
    target instanceof Node && opener.current?.contains(target) === true;
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={opener} />
      <PopoverContent
        aria-label={label}
        onInteractOutside={(event) => {
          if (isOpener(event.target)) event.preventDefault();
          else wasLeft.current = true;
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (!wasLeft.current) opener.current?.focus();
        }}
      >
        {children}
      </PopoverContent>
    </Popover.Root>
  );
}
