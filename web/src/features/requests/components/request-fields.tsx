/** The three sections of a request. */
import { useId } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { CharacterCounter, FormSection } from '@/components/form/form-section';
import { AmountField, SelectField } from '@/components/form/plain-fields';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { Checkbox } from '@/components/ui/checkbox';
import { fields } from '@/copy/auth';
import { postRequest } from '@/copy/requests';
import { makes, conditions, fuels, timelines, transmissions, yearRanges } from '@/data/request-options';
import { DESCRIPTION_LIMIT } from '../request-schema';

const copy = postRequest.fields;

export function RequestFields() {
  return (
    <>
      <FormSection title={postRequest.sections.vehicle}>
        <Choice name="carMake" label={copy.make} options={makes.map(itself)} />
        <TextField name="carModel" label={copy.model} note={fields.required} autoComplete="off" />
        <Choice name="yearRange" label={copy.year} options={yearRanges.map(itself)} />
        <Choice name="condition" label={copy.condition} options={conditions.map(itself)} />
        <Choice name="fuelType" label={copy.fuel} isOptional options={named(fuels, postRequest.fuels)} />
        <Choice
          name="transmission"
          label={copy.transmission}
          isOptional
          options={named(transmissions, postRequest.transmissions)}
        />
        <CheckboxField name="isFlexibleYear" label={copy.flexibleYear} />
        <div className="sm:col-span-2">
          <TextAreaField
            name="description"
            label={copy.description}
            note={fields.optional}
            hint={copy.descriptionHint}
            rows={4}
          />
          <CharacterCounter name="description" limit={DESCRIPTION_LIMIT} />
        </div>
      </FormSection>
      <FormSection title={postRequest.sections.budget}>
        <AmountField name="budgetMin" label={copy.budgetMin} note={fields.required} />
        <AmountField name="budgetMax" label={copy.budgetMax} note={fields.required} />
        <Choice name="urgency" label={copy.urgency} options={timelines} />
        <div className="sm:pt-6">
          <CheckboxField name="isFlexibleBudget" label={copy.flexibleBudget} />
        </div>
      </FormSection>
      <FormSection title={postRequest.sections.shipping}>
        <TextField
          name="shippingPort"
          label={copy.port}
          note={fields.required}
          hint={copy.portHint}
          autoComplete="off"
          className="sm:col-span-2"
        />
      </FormSection>
    </>
  );
}

type Option = readonly [value: string, label: string];

interface ChoiceProps {
  name: string;
  label: string;
  options: readonly Option[];
  isOptional?: boolean;
}

function Choice({ name, label, options, isOptional = false }: ChoiceProps) {
  return (
    <SelectField name={name} label={label} note={isOptional ? fields.optional : fields.required}>
      <option value="">{isOptional ? postRequest.noPreference : postRequest.choose}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

function itself(value: string): Option {
  return [value, value];
}

function named<Value extends string>(values: readonly Value[], names: Record<Value, string>): Option[] {
  return values.map((value) => [value, names[value]]);
}

/** A yes or no of the form around it. */
function CheckboxField({ name, label }: { name: string; label: string }) {
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
