/** One decision: a button, the question behind it, and the reason where the member is told one. */
import { useState } from 'react';
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogTrigger,
} from '@/components/ui/alert-dialog';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import { decision as copy } from '@/copy/back-office';
import { useDecision, type Decision } from '../data/decisions';

interface DecisionButtonProps {
  label: string;
  question: string;
  /** What the toast says when it worked. */
  done: string;
  /** What the person must or may write; nothing is asked when it is left out. */
  words?: { label: string; hint?: string; required: boolean };
  /** Of the button in the row, which stays quiet when the decision is dangerous; the one in the dialog is the main one. */
  variant?: 'primary' | 'outline' | 'destructive';
  decide: (words: string) => Decision;
}

export function DecisionButton({
  label,
  question,
  done,
  words,
  variant = 'outline',
  decide: decisionOf,
}: DecisionButtonProps) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { decide, isPending } = useDecision();

  const confirm = async () => {
    if (words?.required && text.trim() === '') {
      setMissing(true);
      return;
    }
    if (await decide(decisionOf(text.trim()), done)) {
      setText('');
      setOpen(false);
    }
  };
  return (
    <AlertDialog open={open} onOpenChange={setOpen}>
      <AlertDialogTrigger asChild>
        <Button
          size="small"
          variant={variant === 'destructive' ? 'outline' : variant}
          className={variant === 'destructive' ? 'text-destructive' : undefined}
        >
          {label}
        </Button>
      </AlertDialogTrigger>
      <AlertDialogContent
        title={label}
        text={question}
        actions={
          <>
            <AlertDialogCancel asChild>
              <Button variant="outline">{copy.cancel}</Button>
            </AlertDialogCancel>
            <BusyButton
              variant={variant === 'destructive' ? 'destructive' : 'primary'}
              busy={isPending}
              busyText={copy.busy}
              onClick={() => void confirm()}
            >
              {label}
            </BusyButton>
          </>
        }
      >
        {words && (
          <Field label={words.label} hint={words.hint} error={isMissing ? copy.reasonMissing : undefined}>
            {(control) => (
              <Textarea
                {...control}
                value={text}
                maxLength={1000}
                onChange={(event) => {
                  setText(event.target.value);
                  setMissing(false);
                }}
              />
            )}
          </Field>
        )}
      </AlertDialogContent>
    </AlertDialog>
  );
}
