import { CharacterCounter } from '@/components/form/character-counter';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { agentProfile as copy } from '@/copy/onboarding';
import { fields } from '@/copy/auth';
import { BIO_LIMIT } from '../schema';

export function ProfileFields() {
  return (
    <>
      <TextField
        name="companyName"
        label={copy.companyName}
        autoComplete="organization"
        className="sm:col-span-2"
      />
      <TextField name="experience" label={copy.experience} inputMode="numeric" autoComplete="off" />
      <TextField name="languages" label={copy.languages} hint={copy.languagesHint} autoComplete="off" />
      <div className="sm:col-span-2">
        <TextAreaField name="bio" label={copy.bio} note={fields.optional} hint={copy.bioHint} rows={4} />
        <CharacterCounter name="bio" limit={BIO_LIMIT} />
      </div>
    </>
  );
}
