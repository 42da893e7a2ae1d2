/** Asks before something that cannot be taken back. */
import type { ReactNode } from 'react';
import { app } from '@/copy/app';
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogTrigger,
} from './alert-dialog';
import { Button } from './button';

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
    <AlertDialog>
      <AlertDialogTrigger asChild>{trigger}</AlertDialogTrigger>
      <AlertDialogContent
        title={title}
        text={text}
        actions={
          <>
            <AlertDialogCancel asChild>
              <Button variant="outline">{app.keep}</Button>
            </AlertDialogCancel>
            <AlertDialogAction asChild>
              <Button variant="destructive" onClick={onConfirm}>
                {confirm}
              </Button>
            </AlertDialogAction>
          </>
        }
      />
    </AlertDialog>
  );
}
