import { Slot } from 'radix-ui';
import { lazy, Suspense, useState, type MouseEvent, type ReactNode } from 'react';
import { useWhenIdle } from '@/hooks/use-idle';

const load = () => import('./open-recovery-dialog');
const OpenRecoveryDialog = lazy(load);

interface RecoveryDialogProps {
  /** What the person has typed elsewhere on the page. */
  email: string;
  /** Where the link leads; the combined page unless another asks for the new password. */
  page?: string | undefined;
  /** Learns where the mail went. */
  onSent?: (email: string) => void;
  /** The button that opens it. */
  children: ReactNode;
}

/** The dialog's own code comes after the page; a press before that waits for it. */
export function RecoveryDialog({ onSent, children, ...form }: RecoveryDialogProps) {
  const [isOpen, setOpen] = useState(false);
  useWhenIdle(load);
  const open = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // not every browser does so by itself, and there the focus returns to
    currentTarget.focus();
    setOpen(true);
  };
  const close = (sentTo: string) => {
    setOpen(false);
    onSent?.(sentTo);
  };
  return (
    <>
      <Slot.Root aria-haspopup="dialog" aria-expanded={isOpen} onClick={open}>
        {children}
      </Slot.Root>
      {isOpen && (
        <Suspense>
          <OpenRecoveryDialog {...form} onSent={close} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
