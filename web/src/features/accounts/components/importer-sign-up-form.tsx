import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { DraftNote } from '@/components/form/draft-note';
import { signUp as copy } from '@/copy/auth';
import { useDraft } from '@/hooks/use-draft';
import { useSignUp } from '../data/sign-up-mutation';
import { importerSignUpSchema, type ImporterSignUp } from '../schemas';
import { draftName, type SignUpPrefill } from '../sign-up-prefill';
import { PasswordFields, PersonFields, TermsField } from './account-fields';
import { AccountForm } from './account-form';
import { useSignUpOutcome, type SignedUp } from './use-sign-up-outcome';

const EMPTY: ImporterSignUp = {
  fullName: '',
  companyName: '',
  country: '',
  city: '',
  phone: '',
  email: '',
  password: '',
  confirmPassword: '',
  agreeToTerms: false,
};

interface SignUpFormProps {
  prefill: SignUpPrefill;
  onDone: SignedUp;
}

export function ImporterSignUpForm({ prefill, onDone }: SignUpFormProps) {
  const form = useForm({
    resolver: zodResolver(importerSignUpSchema),
    defaultValues: { ...EMPTY, ...prefill },
  });
  const signUp = useSignUp();
  const draft = useDraft(form, draftName('importer', prefill));
  const outcome = useSignUpOutcome('importer', copy.importer, (account) => {
    draft.clear();
    onDone(account);
  });
  const submit = ({ email, password, ...values }: ImporterSignUp) =>
    signUp.mutate(
      {
        email,
        password,
        metadata: {
          full_name: values.fullName,
          country: values.country,
          city: values.city,
          phone: values.phone,
          company_name: values.companyName,
          role: 'importer',
        },
      },
      outcome.handlers,
    );
  return (
    <AccountForm
      form={form}
      onSubmit={submit}
      refusal={outcome.refusal}
      submit={copy.importer.submit}
      busy={signUp.isPending}
      busyText={copy.importer.busy}
    >
      <DraftNote draft={draft} />
      <PersonFields withCompany />
      <PasswordFields />
      <TermsField />
    </AccountForm>
  );
}
