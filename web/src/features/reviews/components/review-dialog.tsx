/** Five stars and a comment, new or changed. */
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { StarChoice } from '@/components/form/star-choice';
import { BusyButton } from '@/components/ui/busy-button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import { app } from '@/copy/app';
import { errors } from '@/copy/errors';
import { reviews as copy } from '@/copy/reviews';
import { useFocusOnComplaint } from '@/hooks/use-focus-on-complaint';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSaveReview, type ReviewTarget, type ReviewText } from '../data/review-mutations';

const COMMENT_LIMIT = 1000;

interface ReviewDialogProps {
  trigger: ReactNode;
  name: string;
  target: ReviewTarget;
  initial: ReviewText;
}

export function ReviewDialog({ trigger, name, target, initial }: ReviewDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const isNew = target.reviewId === null;
  return (
    <Dialog open={isOpen} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent title={isNew ? copy.write : copy.edit} text={copy.dialogText(name)}>
        <ReviewForm target={target} initial={initial} onDone={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

interface ReviewFormProps {
  target: ReviewTarget;
  initial: ReviewText;
  onDone: () => void;
}

function ReviewForm({ target, initial, onDone }: ReviewFormProps) {
  const [rating, setRating] = useState(initial.rating);
  const [comment, setComment] = useState(initial.comment);
  const [isIncomplete, setIncomplete] = useState(false);
  const [refused, setRefused] = useState(0);
  const form = useFocusOnComplaint(refused);
  const { mutate, isPending } = useSaveReview(target);
  const isTooLong = comment.trim().length > COMMENT_LIMIT;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIncomplete(rating === 0);
    if (rating === 0 || isTooLong) {
      setRefused(refused + 1);
      return;
    }
    mutate(
      { rating, comment: comment.trim() },
      {
        onSuccess: () => {
          toastSuccess(copy.saved.title, copy.saved.text);
          onDone();
        },
        onError: (error) => toastError(errors.title, messageOf(error, copy.saveFailed)),
      },
    );
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="space-y-5">
      <StarChoice
        label={copy.rating}
        value={rating}
        onChange={setRating}
        error={isIncomplete && rating === 0 ? copy.ratingMissing : undefined}
      />
      <Field
        label={copy.comment}
        note={app.count(comment.trim().length, COMMENT_LIMIT)}
        error={isTooLong ? copy.commentLong : undefined}
      >
        {(control) => (
          <Textarea {...control} value={comment} onChange={(event) => setComment(event.target.value)} />
        )}
      </Field>
      <BusyButton type="submit" busy={isPending} busyText={copy.busy} className="w-full sm:w-auto">
        {target.reviewId === null ? copy.submit : copy.save}
      </BusyButton>
    </form>
  );
}
