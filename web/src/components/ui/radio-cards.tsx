/** A short choice where every option deserves a sentence. */
import { RadioGroup } from 'radix-ui';
import { useId, type ReactNode } from 'react';

interface RadioCardsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; hint: string }[];
}

export function RadioCards<Value extends string>({
  label,
  value,
  onChange,
  options,
}: RadioCardsProps<Value>) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="text-label text-muted-foreground">
        {label}
      </span>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(next as Value)}
        className="grid grid-cols-2 gap-3"
      >
        {options.map((option) => (
          <RadioCard key={option.value} value={option.value} hint={option.hint}>
            {option.label}
          </RadioCard>
        ))}
      </RadioGroup.Root>
    </div>
  );
}

function RadioCard({ value, hint, children }: { value: string; hint: string; children: ReactNode }) {
  return (
    <RadioGroup.Item
      value={value}
      className="flex flex-col rounded-control border border-input bg-card px-3 py-2.5 text-left hover:bg-muted data-[state=checked]:border-primary data-[state=checked]:bg-secondary data-[state=checked]:text-secondary-foreground"
    >
      <span className="font-semibold">{children}</span>
      <span className="text-small text-muted-foreground">{hint}</span>
    </RadioGroup.Item>
  );
}
