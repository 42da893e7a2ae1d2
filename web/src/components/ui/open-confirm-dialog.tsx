/** A double press of the answer is one answer. */
import { app } from '@/copy/app';
import { useOnePress } from '@/hooks/use-one-press';
import { AlertDialog, AlertDialogAction, AlertDialogCancel, AlertDialogContent } from './alert-dialog';
import { Button } from './button';

interface OpenConfirmDialogProps {
  title: string;
  text: string;
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
}

export function OpenConfirmDialog({ title, text, confirm, onConfirm, onClose }: OpenConfirmDialogProps) {
  const takePress = useOnePress();
  return (
    <AlertDialog open onOpenChange={(open) => !open && onClose()}>
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
