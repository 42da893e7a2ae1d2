/** Asks before a form with changes is left. One at a time: the router holds back one navigation. */
import { app } from '@/copy/app';
import { useUnsavedChanges } from '@/hooks/use-unsaved-changes';
import { AlertDialog, AlertDialogCancel, AlertDialogContent } from './ui/alert-dialog';
import { Button } from './ui/button';

const copy = app.unsaved;

interface LeavePromptProps {
  /** Always the same function as long as its answer is: it listens to the closing of the tab. */
  hasChanges: () => boolean;
}

export function LeavePrompt({ hasChanges }: LeavePromptProps) {
  const { isAsked, leave, stay } = useUnsavedChanges(hasChanges);
  return (
    <AlertDialog open={isAsked} onOpenChange={(open) => !open && stay()}>
      <AlertDialogContent
        title={copy.title}
        text={copy.text}
        actions={
          <>
            <AlertDialogCancel asChild>
              <Button variant="outline">{copy.stay}</Button>
            </AlertDialogCancel>
            <Button variant="destructive" onClick={leave}>
              {copy.leave}
            </Button>
          </>
        }
      />
    </AlertDialog>
  );
}
