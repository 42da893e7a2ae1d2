/** The facts importers compare by, folded away: none of them is needed. */
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { SelectField } from '@/components/form/plain-fields';
import { TextField } from '@/components/form/text-field';
import { bodyLabels, choiceField, offerFields } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import { bodyCodes } from '../offer-choices';
import type { PostForm } from '../post-schema';
import { ChoiceField } from './choice-field';

const copy = createPost.fields;

export function MoreDetails() {
  const [isOpen, setOpen] = useState(false);
  const { errors } = useFormContext<PostForm>().formState;
  const hasProblem = errors.year !== undefined || errors.mileage !== undefined;
  return (
    <details
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group rounded-card border bg-card"
    >
      <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 rounded-card px-4 py-2 sm:px-5">
        <span>
          <span className="block text-h3">{createPost.more.title}</span>
          <span className="block text-small text-muted-foreground">{createPost.more.hint}</span>
        </span>
        <ChevronDown aria-hidden className="size-5 transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid gap-5 border-t p-4 sm:grid-cols-2 sm:p-5">
        <TextField name="year" label={copy.year} inputMode="numeric" autoComplete="off" />
        <TextField name="variant" label={copy.variant} autoComplete="off" />
        <TextField name="mileage" label={copy.mileage} inputMode="numeric" autoComplete="off" />
        <SelectField name="body" label={offerFields.body}>
          <option value="">{choiceField.none}</option>
          {bodyCodes.map((code) => (
            <option key={code} value={code}>
              {bodyLabels[code]}
            </option>
          ))}
        </SelectField>
        <ChoiceField name="transmission" label={copy.transmission} />
        <ChoiceField name="fuel" label={copy.fuel} />
        <ChoiceField name="drivetrain" label={copy.drivetrain} />
        <ChoiceField name="color" label={copy.color} />
        <ChoiceField name="condition" label={copy.condition} />
        <TextField name="location" label={copy.location} hint={copy.locationHint} autoComplete="off" />
        <TextField name="auctionDate" type="date" label={copy.auctionDate} />
        <TextField
          name="features"
          label={copy.features}
          hint={copy.featuresHint}
          autoComplete="off"
          className="sm:col-span-2"
        />
      </div>
    </details>
  );
}
