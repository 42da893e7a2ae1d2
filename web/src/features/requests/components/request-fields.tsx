/** The three sections of a request. */
import { AmountField } from '@/components/form/amount-field';
import { CharacterCounter } from '@/components/form/character-counter';
import { CheckboxField } from '@/components/form/checkbox-field';
import { FormSection } from '@/components/form/form-section';
import { SelectField } from '@/components/form/select-field';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { fields } from '@/copy/auth';
import { postRequest } from '@/copy/requests';
import { makes } from '@/data/makes';
import { conditions, fuels, timelines, transmissions, yearRanges } from '@/data/request-options';
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
