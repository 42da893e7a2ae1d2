/** Asks what was agreed before a request is closed. */
import { useState, type SubmitEvent } from 'react';
import { StarChoice } from '@/components/form/star-choice';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { responses } from '@/copy/invitations';
import { errors } from '@/copy/errors';
import { validation } from '@/copy/validation';
import { useFocusOnComplaint } from '@/hooks/use-focus-on-complaint';
import { messageOf } from '@/lib/errors';
import { groupThousands, isTooMuch, parseAmount } from '@/lib/format';
import { toastError, toastSuccess } from '@/lib/toast';
import { useCompleteRequest, type Completion } from '../data/request-complete-mutation';

const copy = responses.complete;

interface CompleteRequestProps {
  requestId: string;
  invitationId: string;
  requestsKey: readonly unknown[];
  onDone: () => void;
}

export function CompleteRequest({ requestId, invitationId, requestsKey, onDone }: CompleteRequestProps) {
  const { mutate, isPending } = useCompleteRequest(requestsKey);
  const complete = (agreed: Pick<Completion, 'price' | 'satisfaction'>) =>
    mutate(
      { requestId, invitationId, ...agreed },
      {
        onSuccess: () => {
          toastSuccess(copy.done.title, copy.done.text);
          onDone();
        },
        onError: (error) => toastError(errors.title, messageOf(error, copy.failed)),
      },
    );
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button writes size="small" variant="outline">
          {copy.open}
        </Button>
      </DialogTrigger>
      <DialogContent title={copy.title} text={copy.text}>
        <Agreement busy={isPending} onSubmit={complete} />
      </DialogContent>
    </Dialog>
  );
}

interface AgreementProps {
  busy: boolean;
  onSubmit: (agreed: Pick<Completion, 'price' | 'satisfaction'>) => void;
}

function Agreement({ busy, onSubmit }: AgreementProps) {
  const [price, setPrice] = useState('');
  const [satisfaction, setSatisfaction] = useState(0);
  const [refused, setRefused] = useState(0);
  const form = useFocusOnComplaint(refused);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const amount = parseAmount(price);
    if (amount === null || isTooMuch(price)) setRefused(refused + 1);
    else onSubmit({ price: amount, satisfaction });
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="space-y-5">
      <Field label={copy.price} error={refused > 0 ? complaintAbout(price) : undefined}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            value={price}
            onChange={(event) => setPrice(event.target.value)}
            onBlur={() => setPrice(groupThousands(price))}
          />
        )}
      </Field>
      <StarChoice label={copy.satisfaction} value={satisfaction} onChange={setSatisfaction} />
      <BusyButton type="submit" busy={busy} busyText={copy.busy} className="w-full sm:w-auto">
        {copy.submit}
      </BusyButton>
    </form>
  );
}

function complaintAbout(price: string): string | undefined {
  if (parseAmount(price) === null) return copy.priceMissing;
  return isTooMuch(price) ? validation.tooMuch : undefined;
}
