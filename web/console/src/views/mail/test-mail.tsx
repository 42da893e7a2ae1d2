/** A mail of one of the templates, with values that were made up. It lies in the list and goes nowhere. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '../../dev/api';
import { searchOf, useBranch } from '../../dev/use-branch';
import { DialogShell } from '../../frame/dialog-shell';
import { Button } from '../../parts/button';
import { Choice, TextField } from '../../parts/fields';
import { Refused } from '../../parts/refused';
import { messageKeys, templatesQuery, type Message } from './messages';
import { nameOf } from './template-names';

export function TestMail({ onClose }: { onClose: () => void }) {
  const branch = useBranch();
  const { data: templates = [], error } = useQuery(templatesQuery(branch));
  const [template, setTemplate] = useState('confirmation');
  const [to, setTo] = useState('test@example.com');
  const send = useSending(template, to, onClose);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!send.isPending) send.mutate();
  };
  return (
    <DialogShell title="Send a test mail" onClose={onClose}>
      <form onSubmit={submit} className="mt-2 grid gap-3">
        <p className="text-muted-foreground">
          It comes into this list with made-up values, and is sent to nobody.
        </p>
        <Choice name="Template" value={template} onChange={setTemplate}>
          {templates.map((name) => (
            <option key={name} value={name}>
              {nameOf(name)}
            </option>
          ))}
        </Choice>
        <TextField name="To" type="email" required value={to} onChange={setTo} />
        <Refused error={error ?? send.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={send.isPending || templates.length === 0}>
            Send
          </Button>
        </div>
      </form>
    </DialogShell>
  );
}

function useSending(template: string, to: string, onClose: () => void) {
  const branch = useBranch();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call<Message>(branch, `/mail-templates/${template}`, { method: 'POST', body: { to } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: messageKeys.all(branch) });
      onClose();
      void navigate({ pathname: `/mail/${id}`, search: searchOf(branch) });
    },
  });
}
