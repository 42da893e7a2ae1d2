/** An invitation in the agent's own words, begun by the greeting. What was typed stays when the dialog is closed. */
import { PenLine } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { TextCounter } from '@/components/text-counter';
import { Textarea } from '@/components/ui/textarea';
import { limitOf } from '@/config/limits';
import { invite, requests } from '@/copy/requests';
import { useFocusOnComplaint } from '@/hooks/use-focus-on-complaint';
import { greetingFor } from '../data/invitation-send-mutation';

const copy = invite.ownText;
const LIMIT = limitOf('invitation') ?? Infinity;

interface OwnTextProps {
  /** Whom the invitation is for. */
  name: string;
  busy: boolean;
  onSend: (text: string, onSent: () => void) => void;
}

export function OwnText({ name, busy, onSend }: OwnTextProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(() => greetingFor(name));
  return (
    <Dialog open={isOpen} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button
          writes
          variant="outline"
          size="icon"
          aria-label={copy.open(name)}
          title={copy.open(name)}
          className="h-auto sm:h-auto"
        >
          <PenLine aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent title={copy.title(name)} text={copy.text}>
        <TextForm
          text={text}
          onChange={setText}
          busy={busy}
          onSubmit={() => onSend(text.trim(), () => setOpen(false))}
        />
      </DialogContent>
    </Dialog>
  );
}

interface TextFormProps {
  text: string;
  onChange: (text: string) => void;
  busy: boolean;
  onSubmit: () => void;
}

function TextForm({ text, onChange, busy, onSubmit }: TextFormProps) {
  const [refused, setRefused] = useState(0);
  const form = useFocusOnComplaint(refused);
  const complaint = complaintAbout(text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (complaint) setRefused(refused + 1);
    else onSubmit();
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="space-y-5">
      <div>
        <Field label={copy.label} error={refused > 0 ? complaint : undefined}>
          {(control) => (
            <Textarea
              {...control}
              rows={6}
              value={text}
              readOnly={busy}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
        <TextCounter length={text.trim().length} limit={LIMIT} />
      </div>
      <BusyButton type="submit" busy={busy} busyText={requests.sending} className="w-full sm:w-auto">
        {copy.send}
      </BusyButton>
    </form>
  );
}

function complaintAbout(text: string): string | undefined {
  const { length } = text.trim();
  if (length === 0) return copy.missing;
  return length > LIMIT ? copy.tooLong(LIMIT) : undefined;
}
