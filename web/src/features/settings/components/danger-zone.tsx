/** Leaving for good. A demonstration only says that it cannot be done there. */
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { PasswordInput } from '@/components/ui/password-input';
import { app } from '@/copy/app';
import { settings } from '@/copy/settings';
import { validation } from '@/copy/validation';
import { demoModeQueryOptions } from '@/lib/public-config-query';
import { useFocusOnComplaint } from '@/hooks/use-focus-on-complaint';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useDeleteAccount, WrongPasswordError } from '../data/account-mutations';
import { SettingsCard } from './settings-card';

const copy = settings.danger;

interface DangerZoneProps {
  email: string;
  onDeleted: () => void;
}

export function DangerZone({ email, onDeleted }: DangerZoneProps) {
  const { data: isDemo } = useQuery(demoModeQueryOptions());
  const [isAsking, setAsking] = useState(false);
  const press = () => (isDemo ? toastError(copy.demo.title, copy.demo.text) : setAsking(true));
  return (
    <SettingsCard title={copy.title}>
      <p className="mb-4 max-w-[68ch] text-muted-foreground">{copy.text}</p>
      <Button
        variant="destructive"
        disabled={isDemo === undefined}
        onClick={press}
        className="w-full sm:w-auto"
      >
        {copy.delete}
      </Button>
      <Dialog open={isAsking} onOpenChange={setAsking}>
        <DialogContent title={copy.confirm.title} text={copy.confirm.text}>
          <DeleteForm email={email} onDeleted={onDeleted} />
        </DialogContent>
      </Dialog>
    </SettingsCard>
  );
}

function DeleteForm({ email, onDeleted }: DangerZoneProps) {
  const [password, setPassword] = useState('');
  const [complaint, setComplaint] = useState<string | undefined>();
  const [refused, setRefused] = useState(0);
  const form = useFocusOnComplaint(refused);
  const { mutate, isPending } = useDeleteAccount(email);
  const refuse = (reason: string) => {
    setComplaint(reason);
    setRefused(refused + 1);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (password === '') {
      refuse(validation.passwordRequired);
      return;
    }
    setComplaint(undefined);
    mutate(password, {
      onSuccess: () => {
        toastSuccess(copy.done.title, copy.done.text);
        onDeleted();
      },
      onError: (error) => {
        if (error instanceof WrongPasswordError) refuse(error.message);
        else toastError(copy.failed, messageOf(error));
      },
    });
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="space-y-5">
      <Field label={copy.confirm.password} error={complaint}>
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <DialogClose asChild>
          <Button variant="outline">{app.keep}</Button>
        </DialogClose>
        <BusyButton type="submit" variant="destructive" busy={isPending} busyText={copy.deleting}>
          {copy.delete}
        </BusyButton>
      </div>
    </form>
  );
}
