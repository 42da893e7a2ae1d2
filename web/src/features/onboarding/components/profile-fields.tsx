import { useFormContext, useWatch } from 'react-hook-form';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { agentProfile as copy } from '@/copy/onboarding';
import { fields } from '@/copy/auth';
import { cn } from '@/lib/class-names';
import { BIO_LIMIT, type AgentProfile } from '../schema';

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
        <BioCounter />
      </div>
    </>
  );
}

const ANNOUNCED_FROM = 0.9;

/** Always in sight; spoken only when the limit is near. */
function BioCounter() {
  const length = useWatch<AgentProfile, 'bio'>({
    control: useFormContext<AgentProfile>().control,
    name: 'bio',
  }).trim().length;
  const isNear = length >= BIO_LIMIT * ANNOUNCED_FROM;
  return (
    <>
      <p
        aria-hidden
        className={cn(
          'mt-1 text-right text-small text-muted-foreground figures',
          length > BIO_LIMIT && 'text-destructive',
        )}
      >
        {copy.bioCount(length, BIO_LIMIT)}
      </p>
      <p role="status" className="sr-only">
        {isNear && copy.bioLeft(BIO_LIMIT - length)}
      </p>
    </>
  );
}
