/** An amount in US dollars; thousands are separated when the field is left. */
import { useFormContext } from 'react-hook-form';
import { groupThousands } from '@/lib/format';
import { TextField } from './text-field';

interface AmountFieldProps {
  name: string;
  label: string;
  note?: string | undefined;
  hint?: string | undefined;
  className?: string | undefined;
}

export function AmountField({ name, className, ...props }: AmountFieldProps) {
  const { setValue, getValues } = useFormContext<Record<string, string>>();
  const group = () => setValue(name, groupThousands(getValues(name)));
  return (
    <div onBlur={group} className={className}>
      <TextField name={name} inputMode="numeric" autoComplete="off" {...props} />
    </div>
  );
}
