/** A labelled choice of the form around it. */
import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import { useFieldError } from './text-field';

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
