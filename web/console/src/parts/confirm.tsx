/** Asks before something is done that cannot be undone; says why where it was refused. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DialogShell } from '../frame/dialog-shell';
import { Button } from './button';
import { Refused } from './refused';

interface ConfirmProps {
  title: string;
  action: string;
  mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  onClose: () => void;
  children: ReactNode;
}

export function Confirm({ title, action, mutation, onClose, children }: ConfirmProps) {
  return (
    <DialogShell title={title} onClose={onClose}>
      <div className="mt-2 grid gap-3">
        {children}
        <Refused error={mutation.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="destructive" disabled={mutation.isPending} onClick={() => mutation.mutate()}>
            {action}
          </Button>
        </div>
      </div>
    </DialogShell>
  );
}
