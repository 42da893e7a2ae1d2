/** Asks before something that cannot be taken back. The question itself comes when the browser rests. */
import { useState, type ReactElement } from 'react';
import { useLateOpening } from '@/hooks/use-late';
import { late } from '@/lib/late';
import { Opener } from './opener';

const openConfirmDialog = late(() => import('./open-confirm-dialog'));

interface ConfirmDialogProps {
  /** The button that leads here. */
  trigger: ReactElement;
  title: string;
  text: string;
  confirm: string;
  onConfirm: () => void;
}

export function ConfirmDialog({ trigger, ...question }: ConfirmDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const module = useLateOpening(openConfirmDialog, isOpen, close);
  return (
    <>
      <Opener opens="dialog" isOpen={isOpen} isComing={isOpen && !module} onPress={() => setOpen(true)}>
        {trigger}
      </Opener>
      {isOpen && module && <module.OpenConfirmDialog {...question} onClose={close} />}
    </>
  );
}
