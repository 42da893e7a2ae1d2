import { useId, useState } from 'react';
import type { WholeRequest } from '../../dev/types';
import { Button } from '../../parts/button';
import { Choice, TextField } from '../../parts/fields';
import { callerFrom, type Again, type Kind } from './caller-from';

const KINDS: readonly (readonly [Kind, string])[] = [
  ['same', 'Who asked'],
  ['anon', 'anon'],
  ['service_role', 'service_role'],
  ['user', 'A user'],
  ['claims', 'Claims'],
  ['token', 'A token'],
];
/** What is asked for with each of them, and an example. */
const FIELDS: Partial<Record<Kind, readonly [string, string]>> = {
  user: ['Email, phone, id or name', 'anna@example.com'],
  claims: ['Claims, as JSON', '{"sub": "…", "role": "authenticated"}'],
  token: ['The token', 'eyJ…'],
};
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

interface ReplayFormProps {
  request: WholeRequest;
  isPending: boolean;
  onSend: (again: Again) => void;
}

export function ReplayForm({ request: { data }, isPending, onSend }: ReplayFormProps) {
  const sent = data.request?.text ?? '';
  const [kind, setKind] = useState<Kind>('same');
  const [who, setWho] = useState('');
  const [body, setBody] = useState(sent);
  const [wrong, setWrong] = useState<string>();
  const field = FIELDS[kind];
  const submit = () => {
    const caller = callerFrom(kind, who);
    const changed = body === sent ? {} : parsed(body);
    setWrong(
      caller === undefined ? 'Say who asks.' : changed === undefined ? 'The body is no JSON.' : undefined,
    );
    if (caller === undefined || changed === undefined) return;
    onSend({ ...(caller !== 'same' && { as: caller }), ...changed });
  };
  return (
    <form
      className="mb-3 grid max-w-lg gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Choice name="As" value={kind} onChange={(value) => setKind(value as Kind)}>
        {KINDS.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Choice>
      {field && (
        <TextField name={field[0]} placeholder={field[1]} value={who} onChange={setWho} autoComplete="off" />
      )}
      {WITH_BODY.includes(data.method) && <BodyField value={body} onChange={setBody} />}
      {wrong && (
        <p role="alert" className="text-destructive">
          {wrong}
        </p>
      )}
      <Button type="submit" variant="primary" disabled={isPending} className="justify-self-start">
        Send
      </Button>
    </form>
  );
}

function BodyField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        Body
      </label>
      <textarea
        id={id}
        rows={4}
        spellCheck={false}
        className="code w-full rounded-control border border-input bg-card px-2 py-1"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function parsed(body: string): Again | undefined {
  try {
    return { body: JSON.parse(body) as unknown };
  } catch {
    return undefined;
  }
}
