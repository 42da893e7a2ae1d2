import { useId } from 'react';
import { FormSection } from '@/components/form/form-section';
import { AmountField, SelectField } from '@/components/form/plain-fields';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { fields } from '@/copy/auth';
import { photos } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import { availability } from '@/copy/posts';
import { makes } from '@/data/request-options';
import { availabilities } from '../offer';
import { MoreDetails } from './more-details';
import { PhotoUpload } from './photo-upload';

const copy = createPost.fields;

export function PostFields({ agentId }: { agentId: string }) {
  return (
    <>
      <FormSection title={createPost.sections.car}>
        <BrandField />
        <TextField name="model" label={copy.model} note={fields.required} autoComplete="off" />
        <TextField name="engineSize" label={copy.engineSize} hint={copy.engineHint} autoComplete="off" />
        <SelectField name="availability" label={copy.availability}>
          {availabilities.map((value) => (
            <option key={value} value={value}>
              {availability[value]}
            </option>
          ))}
        </SelectField>
      </FormSection>
      <FormSection title={createPost.sections.offer}>
        <AmountField name="price" label={copy.price} hint={copy.priceHint} className="sm:col-span-2" />
        <TextAreaField
          name="description"
          label={copy.description}
          hint={copy.descriptionHint}
          className="sm:col-span-2"
          rows={5}
        />
      </FormSection>
      <FormSection title={photos.title}>
        <PhotoUpload agentId={agentId} />
        <TextField
          name="imageUrl"
          type="url"
          inputMode="url"
          label={copy.imageUrl}
          hint={copy.imageUrlHint}
          autoComplete="off"
          className="sm:col-span-2"
        />
      </FormSection>
      <MoreDetails />
    </>
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
