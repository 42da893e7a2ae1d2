/** A labelled text control of the form around it. */
import type { ComponentProps } from 'react';
import { useFormContext } from 'react-hook-form';
import { limitOf } from '@/config/limits';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { PasswordInput } from '../ui/password-input';
import { Textarea } from '../ui/textarea';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'name' | 'className'> {
  name: string;
  label: string;
  note?: string | undefined;
  hint?: string | undefined;
  className?: string | undefined;
}

export function TextField({ name, label, note, hint, className, type, ...props }: TextFieldProps) {
  const { register } = useFormContext();
  const Control = type === 'password' ? PasswordInput : Input;
  return (
    <Field label={label} error={useFieldError(name)} note={note} hint={hint} className={className}>
      {(control) => (
        <Control
          {...control}
          {...(type && { type })}
          maxLength={limitOf(name)}
          {...props}
          {...register(name)}
        />
      )}
    </Field>
  );
}

type TextAreaFieldProps = Pick<TextFieldProps, 'name' | 'label' | 'note' | 'hint' | 'className'> &
  Pick<ComponentProps<'textarea'>, 'rows' | 'maxLength'>;

export function TextAreaField({ name, label, note, hint, className, ...props }: TextAreaFieldProps) {
  const { register } = useFormContext();
  return (
    <Field label={label} error={useFieldError(name)} note={note} hint={hint} className={className}>
      {(control) => <Textarea {...control} maxLength={limitOf(name)} {...props} {...register(name)} />}
    </Field>
  );
}

export function useFieldError(name: string): string | undefined {
  const { getFieldState, formState } = useFormContext();
  return getFieldState(name, formState).error?.message;
}
