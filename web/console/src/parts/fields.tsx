/** What a form of the console asks for: a name above, the field, and a word on what it takes. */
import { useId, type ComponentProps, type ReactNode } from 'react';

const FIELD = 'touch-target min-h-8 w-full rounded-control border border-input bg-card px-2 text-foreground';

interface Named {
  name: string;
  hint?: string;
}

type TextFieldProps = Named &
  Omit<ComponentProps<'input'>, 'name' | 'onChange'> & { onChange: (text: string) => void };

export function TextField({ name, hint, onChange, ...props }: TextFieldProps) {
  const id = useId();
  return (
    <Labelled id={id} name={name} {...(hint && { hint })}>
      <input
        id={id}
        aria-describedby={hint && `${id}-hint`}
        className={FIELD}
        onChange={(event) => onChange(event.target.value)}
        {...props}
      />
    </Labelled>
  );
}

interface ChoiceProps extends Named {
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

export function Choice({ name, hint, value, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <Labelled id={id} name={name} {...(hint && { hint })}>
      <select
        id={id}
        aria-describedby={hint && `${id}-hint`}
        className={FIELD}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </select>
    </Labelled>
  );
}

export function Tick({
  name,
  value,
  onChange,
}: {
  name: string;
  value: boolean;
  onChange: (value: boolean) => void;
}) {
  return (
    <label className="flex items-center gap-2">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      {name}
    </label>
  );
}

function Labelled({ id, name, hint, children }: Named & { id: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {name}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground">
          {hint}
        </p>
      )}
    </div>
  );
}
