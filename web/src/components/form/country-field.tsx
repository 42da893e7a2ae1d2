import { Controller, useFormContext } from 'react-hook-form';
import { useFieldError } from './text-field';
import { Combobox } from '../ui/combobox';
import { Field } from '../ui/field';
import { fields } from '@/copy/auth';
import { countries } from '@/data/countries';
import { countryAliases } from '@/data/country-aliases';

const options = countries.map(([value, label]) => ({ value, label, aliases: countryAliases[value] ?? [] }));

export function CountryField() {
  const { control } = useFormContext<{ country: string }>();
  return (
    <Field label={fields.country} error={useFieldError('country')}>
      {(aria) => (
        <Controller
          control={control}
          name="country"
          render={({ field: { ref, value, onChange, onBlur } }) => (
            <Combobox
              {...aria}
              ref={ref}
              value={value}
              onChange={onChange}
              onBlur={onBlur}
              options={options}
              placeholder={fields.countryPlaceholder}
              emptyText={fields.countryNone}
              autoComplete="country-name"
              aria-required
            />
          )}
        />
      )}
    </Field>
  );
}
