/** A few words behind a small button. Many stand on a page and few are opened, so what opens comes later. */
import { useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useLateOpening } from '@/hooks/use-late';
import { late } from '@/lib/late';
import { Opener } from './opener';

const openPopover = late(() => import('./open-popover'));

interface HelpPopoverProps {
  /** What the opened words are called to somebody who can't see them. */
  label: string;
  trigger: ReactElement;
  children: ReactNode;
}

export function HelpPopover({ label, trigger, children }: HelpPopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const module = useLateOpening(openPopover, isOpen, close);
  return (
    <>
      <Opener
        ref={button}
        opens="dialog"
        isOpen={isOpen}
        isComing={isOpen && !module}
        onPress={() => setOpen(!isOpen || !module)}
      >
        {trigger}
      </Opener>
      {isOpen && module && (
        <module.OpenPopover label={label} opener={button} onClose={close}>
          {children}
        </module.OpenPopover>
      )}
    </>
  );
}
