import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm } from 'react-hook-form';
import { DraftNote } from '@/components/form/draft-note';
import { TextField } from '@/components/form/text-field';
import { RadioCards } from '@/components/ui/radio-cards';
import { combined, fields } from '@/copy/auth';
import { errors } from '@/copy/errors';
import { useDraft } from '@/hooks/use-draft';
import { useSignUp } from '../data/sign-up-mutation';
import { combinedSignUpSchema, type CombinedSignUp } from '../schemas';
import { draftName, type SignUpPrefill } from '../sign-up-prefill';
import { PersonFields } from './account-fields';
import { AccountForm } from './account-form';
import { useSignUpOutcome, type SignedUp } from './use-sign-up-outcome';

const EMPTY: CombinedSignUp = {
  fullName: '',
  country: '',
  city: '',
  phone: '',
  email: '',
  password: '',
  userType: 'importer',
};

const WORDS = { failed: combined.signUpFailed, fallback: errors.generic };

const userTypes = [
  { value: 'importer', label: combined.importer, hint: combined.importerHint },
  { value: 'agent', label: combined.agent, hint: combined.agentHint },
] as const;

export function CombinedSignUpForm({ prefill, onDone }: { prefill: SignUpPrefill; onDone: SignedUp }) {
  const form = useForm({
    resolver: zodResolver(combinedSignUpSchema),
    defaultValues: { ...EMPTY, ...prefill, password: '' },
  });
  const signUp = useSignUp();
  const draft = useDraft(form, draftName('combined', prefill));
  const outcome = useSignUpOutcome(null, WORDS, (account) => {
    draft.clear();
    onDone(account);
  });
  const submit = ({ email, password, fullName, country, city, phone, userType }: CombinedSignUp) =>
    signUp.mutate(
      { email, password, metadata: { full_name: fullName, country, city, phone, user_type: userType } },
      outcome.handlers,
    );
  return (
    <AccountForm
      form={form}
      onSubmit={submit}
      refusal={outcome.refusal}
      submit={combined.signUpSubmit}
      busy={signUp.isPending}
      busyText={combined.signUpBusy}
    >
      <DraftNote draft={draft} />
      <Controller
        control={form.control}
        name="userType"
        render={({ field: { value, onChange } }) => (
          <RadioCards label={fields.userType} value={value} onChange={onChange} options={userTypes} />
        )}
      />
      <PersonFields />
      <TextField
        name="password"
        type="password"
        label={fields.password}
        hint={fields.passwordHint}
        autoComplete="new-password"
        aria-required
      />
    </AccountForm>
  );
}
