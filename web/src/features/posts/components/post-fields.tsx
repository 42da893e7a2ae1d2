import { useId } from 'react';
import { useFormContext } from 'react-hook-form';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { fields } from '@/copy/auth';
import { availability, createPost } from '@/copy/posts';
import { makes } from '@/data/makes';
import { groupThousands } from '@/lib/format';
import { availabilities, type PostForm } from '../post-schema';

const copy = createPost.fields;

export function PostFields() {
  return (
    <>
      <FieldGroup title={createPost.sections.car}>
        <BrandField />
        <TextField name="model" label={copy.model} note={fields.required} autoComplete="off" />
        <TextField name="engineSize" label={copy.engineSize} hint={copy.engineHint} autoComplete="off" />
        <AvailabilityField />
      </FieldGroup>
      <FieldGroup title={createPost.sections.offer}>
        <PriceField />
        <TextAreaField
          name="description"
          label={copy.description}
          hint={copy.descriptionHint}
          className="sm:col-span-2"
          rows={5}
        />
        <TextField
          name="imageUrl"
          type="url"
          inputMode="url"
          label={copy.imageUrl}
          autoComplete="off"
          className="sm:col-span-2"
        />
      </FieldGroup>
    </>
  );
}

function FieldGroup({ title, children }: { title: string; children: React.ReactNode }) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{title}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-5 sm:grid-cols-2">{children}</CardContent>
    </Card>
  );
}

/** Suggests the usual makes and takes any other. */
function BrandField() {
  const listId = useId();
  return (
    <div>
      <TextField name="brand" label={copy.brand} note={fields.required} list={listId} autoComplete="off" />
      <datalist id={listId}>
        {makes.map((make) => (
          <option key={make} value={make} />
        ))}
      </datalist>
    </div>
  );
}

function PriceField() {
  const { setValue, getValues } = useFormContext<PostForm>();
  const group = () => setValue('price', groupThousands(getValues('price')));
  return (
    <div onBlur={group} className="sm:col-span-2">
      <TextField
        name="price"
        inputMode="numeric"
        label={copy.price}
        hint={copy.priceHint}
        autoComplete="off"
      />
    </div>
  );
}

function AvailabilityField() {
  const { register } = useFormContext<PostForm>();
  return (
    <Field label={copy.availability}>
      {(control) => (
        <Select {...control} {...register('availability')}>
          {availabilities.map((value) => (
            <option key={value} value={value}>
              {availability[value]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
