import { useState, type ReactElement } from 'react';
import { Opener } from '@/components/ui/opener';
import { useLateOpening } from '@/hooks/use-late';
import { late } from '@/lib/late';

const openRecoveryDialog = late(() => import('./open-recovery-dialog'));

interface RecoveryDialogProps {
  /** What the person has typed elsewhere on the page. */
  email: string;
  /** Where the link leads; the combined page unless another asks for the new password. */
  page?: string | undefined;
  /** Learns where the mail went. */
  onSent?: (email: string) => void;
  /** The button that opens it. */
  children: ReactElement;
}

/** The dialog's own code comes after the page; a press before that waits for it. */
export function RecoveryDialog({ onSent, children, ...form }: RecoveryDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const module = useLateOpening(openRecoveryDialog, isOpen, close);
  const answer = (sentTo: string) => {
    close();
    onSent?.(sentTo);
  };
  return (
    <>
      <Opener opens="dialog" isOpen={isOpen} isComing={isOpen && !module} onPress={() => setOpen(true)}>
        {children}
      </Opener>
      {isOpen && module && <module.OpenRecoveryDialog {...form} onSent={answer} onClose={close} />}
    </>
  );
}
