/** A yes or no of the form around it. */
import { useId } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { Checkbox } from '../ui/checkbox';

export function CheckboxField({ name, label }: { name: string; label: string }) {
  const id = useId();
  const { control } = useFormContext<Record<string, boolean>>();
  return (
    <div className="flex min-h-11 items-center gap-3">
      <Controller
        control={control}
        name={name}
        render={({ field: { ref, value, onChange, onBlur } }) => (
          <Checkbox id={id} ref={ref} checked={value} onCheckedChange={onChange} onBlur={onBlur} />
        )}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
