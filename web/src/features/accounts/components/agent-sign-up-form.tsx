import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { DraftNote } from '@/components/form/draft-note';
import { signUp as copy } from '@/copy/auth';
import { useDraft } from '@/hooks/use-draft';
import { useSignUp } from '../data/sign-up-mutation';
import { agentSignUpSchema, type AgentSignUp } from '../schemas';
import { draftName, type SignUpPrefill } from '../sign-up-prefill';
import { PasswordFields, PersonFields, TermsField } from './account-fields';
import { AccountForm } from './account-form';
import { useSignUpOutcome, type SignedUp } from './use-sign-up-outcome';

const EMPTY: AgentSignUp = {
  fullName: '',
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

export function AgentSignUpForm({ prefill, onDone }: SignUpFormProps) {
  const form = useForm({
    resolver: zodResolver(agentSignUpSchema),
    defaultValues: { ...EMPTY, ...prefill },
  });
  const signUp = useSignUp();
  const draft = useDraft(form, draftName('agent', prefill));
  const outcome = useSignUpOutcome('agent', copy.agent, (account) => {
    draft.clear();
    onDone(account);
  });
  const submit = ({ email, password, fullName, country, city, phone }: AgentSignUp) =>
    signUp.mutate(
      { email, password, metadata: { full_name: fullName, country, city, phone, role: 'agent' } },
      outcome.handlers,
    );
  return (
    <AccountForm
      form={form}
      onSubmit={submit}
      refusal={outcome.refusal}
      submit={copy.agent.submit}
      busy={signUp.isPending}
      busyText={copy.agent.busy}
    >
      <DraftNote draft={draft} />
      <PersonFields />
      <PasswordFields />
      <TermsField />
    </AccountForm>
  );
}
