/** A card's details. No names and no registration with the form: the values are kept nowhere and sent nowhere. */
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { payment as copy } from '@/copy/onboarding';

export function CardFields() {
  return (
    <div className="grid grid-cols-2 gap-5">
      <div className="col-span-2 space-y-1">
        <p>{copy.card.lead}.</p>
        <p className="text-small text-muted-foreground">{copy.card.note}</p>
      </div>
      <CardField label={copy.card.number} inputMode="numeric" className="col-span-2" />
      <CardField label={copy.card.holder} className="col-span-2" />
      <CardField label={copy.card.expiry} placeholder={copy.card.expiryPlaceholder} inputMode="numeric" />
      <CardField label={copy.card.cvv} inputMode="numeric" />
    </div>
  );
}

interface CardFieldProps {
  label: string;
  placeholder?: string;
  inputMode?: 'numeric';
  className?: string;
}

function CardField({ label, className, ...props }: CardFieldProps) {
  return (
    <Field label={label} className={className}>
      {({ id }) => <Input id={id} autoComplete="off" {...props} />}
    </Field>
  );
}
