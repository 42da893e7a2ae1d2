/** The own profile, being edited. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useCallback, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { CountryField } from '@/components/form/country-field';
import { CharacterCounter, FormSection } from '@/components/form/form-section';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { LeavePrompt } from '@/components/leave-prompt';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { fields } from '@/copy/auth';
import { ownProfile } from '@/copy/profiles';
import type { Profile } from '@/lib/auth/auth-context';
import { messageOf } from '@/lib/errors';
import type { FileRule } from '@/lib/files';
import { useIsHere } from '@/lib/navigation/use-navigate';
import { reloadWithToast } from '@/lib/reload';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSaveProfile } from '../data/profile-update-mutation';
import { BIO_LIMIT, profileFormOf, profileSchema, type ProfileForm as Values } from '../schema';
import { AvatarField } from './avatar-field';

const copy = ownProfile.fields;

const AVATAR_RULES = {
  agent: { extensions: null, megabytes: 10 },
  importer: { extensions: ['jpg', 'jpeg', 'png'], megabytes: 5 },
} as const satisfies Record<string, FileRule>;

interface ProfileFormProps {
  profile: Profile;
  email: string;
  onCancel: () => void;
}

// AGP-009, AGP-027, CO2-002, IMP-014
export function ProfileForm({ profile, email, onCancel }: ProfileFormProps) {
  const kind = profile.user_type === 'agent' ? 'agent' : 'importer';
  const form = useForm({
    resolver: zodResolver(profileSchema),
    defaultValues: profileFormOf(profile, email),
  });
  const [picture, setPicture] = useState<File | null>(null);
  const { mutate, isPending, isSuccess, error } = useSaveProfile(profile, email);
  const isChanged = form.formState.isDirty || picture !== null;
  const hasChanges = useCallback(
    () => isChanged && !isPending && !isSuccess,
    [isChanged, isPending, isSuccess],
  );
  // A reload would take whoever went on from what they do there.
  const isHere = useIsHere();
  const save = (values: Values) =>
    mutate(
      { form: values, picture },
      {
        onSuccess: () => {
          const isNewAddress = values.email !== email;
          const text = isNewAddress ? ownProfile.confirmEmail(values.email) : ownProfile.updated.text;
          const say = isHere() ? reloadWithToast : toastSuccess;
          say(ownProfile.updated.title, text);
        },
        onError: (failure) => toastError(ownProfile.failed.title, messageOf(failure, ownProfile.failed.text)),
      },
    );
  return (
    <FormProvider {...form}>
      <LeavePrompt hasChanges={hasChanges} />
      <form noValidate onSubmit={(event) => void form.handleSubmit(save)(event)} className="space-y-6">
        {error && <Alert title={ownProfile.failed.title} text={messageOf(error, ownProfile.failed.text)} />}
        <FormSection title={ownProfile.sections.person}>
          <AvatarField
            name={profile.full_name ?? email}
            url={profile.avatar_url}
            file={picture}
            rule={AVATAR_RULES[kind]}
            hint={ownProfile.pictureHint[kind]}
            onChange={setPicture}
          />
          <PersonFields />
        </FormSection>
        {kind === 'agent' ? <AgentFields /> : <ImporterFields />}
        <div className="sticky bottom-0 z-10 -mx-4 flex gap-3 border-t bg-background px-4 py-3 sm:static sm:mx-0 sm:border-0 sm:bg-transparent sm:px-0">
          <BusyButton
            type="submit"
            busy={isPending}
            busyText={ownProfile.saving}
            disabled={!isChanged}
            className="flex-1 sm:flex-none"
          >
            {ownProfile.save}
          </BusyButton>
          <Button variant="outline" onClick={onCancel}>
            {ownProfile.cancel}
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}

function PersonFields() {
  return (
    <>
      <TextField name="fullName" label={copy.fullName} autoComplete="name" />
      <TextField name="email" type="email" label={copy.email} hint={copy.emailHint} autoComplete="email" />
      <CountryField />
      <TextField name="city" label={copy.city} autoComplete="address-level2" />
      <TextField name="phone" type="tel" label={copy.phone} autoComplete="tel" />
      <TextField
        name="companyName"
        label={copy.companyName}
        note={fields.optional}
        autoComplete="organization"
      />
      <div className="sm:col-span-2">
        <TextAreaField name="bio" label={copy.bio} note={fields.optional} rows={4} />
        <CharacterCounter name="bio" limit={BIO_LIMIT} />
      </div>
    </>
  );
}

function AgentFields() {
  return (
    <FormSection title={ownProfile.sections.work}>
      <TextField name="experience" label={copy.experience} note={fields.optional} inputMode="numeric" />
      <TextField name="languages" label={copy.languages} note={fields.optional} hint={copy.languagesHint} />
    </FormSection>
  );
}

function ImporterFields() {
  return (
    <FormSection title={ownProfile.sections.imports}>
      <TextField name="budgetRange" label={copy.budgetRange} note={fields.optional} hint={copy.budgetHint} />
      <TextField
        name="importFrequency"
        label={copy.importFrequency}
        note={fields.optional}
        hint={copy.frequencyHint}
      />
      <TextField
        name="interestedBrands"
        label={copy.interestedBrands}
        note={fields.optional}
        hint={copy.brandsHint}
      />
      <TextField
        name="shippingPorts"
        label={copy.shippingPorts}
        note={fields.optional}
        hint={copy.portsHint}
      />
    </FormSection>
  );
}
