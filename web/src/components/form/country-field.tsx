import { Controller, useFormContext } from 'react-hook-form';
import { useFieldError } from './text-field';
import { Combobox } from '../ui/combobox';
import { Field } from '../ui/field';
import { fields } from '@/copy/auth';
import { allCountries, countryName } from '@/lib/country';

const options = () =>
  allCountries().map(({ code, name, ...names }) => ({ value: code, label: name, ...names }));

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
              text={countryName(value)}
              onChange={onChange}
              onBlur={onBlur}
              options={options}
              placeholder={fields.countryPlaceholder}
              searchLabel={fields.countrySearch}
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
