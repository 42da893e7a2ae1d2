/** Asks before something that cannot be taken back. */
import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { app } from '@/copy/app';
import { Button } from './button';
import { dialogClasses, overlayClasses } from './dialog';

interface ConfirmDialogProps {
  /** The button that leads here. */
  trigger: ReactNode;
  title: string;
  text: string;
  confirm: string;
  onConfirm: () => void;
}

export function ConfirmDialog({ trigger, title, text, confirm, onConfirm }: ConfirmDialogProps) {
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClasses} />
        <AlertDialog.Content className={dialogClasses}>
          <AlertDialog.Title className="text-h2">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-muted-foreground">{text}</AlertDialog.Description>
          <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <AlertDialog.Cancel asChild>
              <Button variant="outline">{app.keep}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button variant="destructive" onClick={onConfirm}>
                {confirm}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
