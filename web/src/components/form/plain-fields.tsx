/** A labelled choice and an amount of the form around them. */
import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { groupThousands } from '@/lib/format';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import { useFieldError, TextField } from './text-field';

interface SelectFieldProps {
  name: string;
  label: string;
  note?: string | undefined;
  hint?: string | undefined;
  className?: string | undefined;
  /** The options. */
  children: ReactNode;
}

export function SelectField({ name, label, note, hint, className, children }: SelectFieldProps) {
  const { register } = useFormContext();
  return (
    <Field label={label} error={useFieldError(name)} note={note} hint={hint} className={className}>
      {(control) => (
        <Select {...control} {...register(name)}>
          {children}
        </Select>
      )}
    </Field>
  );
}

interface AmountFieldProps {
  name: string;
  label: string;
  note?: string | undefined;
  hint?: string | undefined;
  className?: string | undefined;
}

/** An amount in US dollars; thousands are separated when the field is left. */
export function AmountField({ name, className, ...props }: AmountFieldProps) {
  const { setValue, getValues } = useFormContext<Record<string, string>>();
  const group = () => setValue(name, groupThousands(getValues(name)));
  return (
    <div onBlur={group} className={className}>
      <TextField name={name} inputMode="numeric" autoComplete="off" {...props} />
    </div>
  );
}
