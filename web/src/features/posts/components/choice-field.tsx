/** A choice among usual words, with room for any other: what the form keeps is the word itself. */
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { choiceField as copy } from '@/copy/offers';
import { offerChoices, type ChoiceField as Name } from '../offer-choices';
import type { PostForm } from '../post-schema';

const OTHER = 'other';

export function ChoiceField({ name, label }: { name: Name; label: string }) {
  const { setValue } = useFormContext<PostForm>();
  const text = useWatch<PostForm, Name>({ name });
  const [wantsOther, setWantsOther] = useState(false);
  const known: readonly string[] = offerChoices[name];
  const same = known.find((choice) => choice.toLowerCase() === text.trim().toLowerCase());
  const isOther = same === undefined && (wantsOther || text.trim() !== '');
  const choose = (value: string) => {
    setWantsOther(value === OTHER);
    setValue(name, value === OTHER ? '' : value, { shouldDirty: true });
  };
  return (
    <div className="space-y-2">
      <Field label={label}>
        {(control) => (
          <Select
            {...control}
            value={isOther ? OTHER : (same ?? '')}
            onChange={(event) => choose(event.target.value)}
          >
            <option value="">{copy.none}</option>
            {known.map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
            <option value={OTHER}>{copy.other}</option>
          </Select>
        )}
      </Field>
      {isOther && <TextField name={name} label={copy.otherLabel(label)} autoComplete="off" />}
    </div>
  );
}
