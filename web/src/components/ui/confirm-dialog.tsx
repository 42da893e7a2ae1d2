/** Asks before something that cannot be taken back; a double press of the answer is one answer. */
import type { ReactNode } from 'react';
import { app } from '@/copy/app';
import { useOnePress } from '@/hooks/use-one-press';
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
  const takePress = useOnePress();
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
              <Button variant="destructive" onClick={() => takePress() && onConfirm()}>
                {confirm}
              </Button>
            </AlertDialogAction>
          </>
        }
      />
    </AlertDialog>
  );
}
