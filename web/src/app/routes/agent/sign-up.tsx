import { useLocation } from 'react-router-dom';
import { emailVerificationPath, paths } from '@/config/paths';
import { signUp } from '@/copy/auth';
import { AccountPage } from '@/features/accounts/components/account-page';
import { LinkLine } from '@/features/accounts/components/account-parts';
import { AgentSignUpForm } from '@/features/accounts/components/agent-sign-up-form';
import type { NewAccount } from '@/features/accounts/data/sign-up-mutation';
import { prefillOf, type SignUpPrefill } from '@/features/accounts/sign-up-prefill';
import { useNavigate } from '@/lib/navigation/use-navigate';

export default function AgentSignUpScreen() {
  const navigate = useNavigate();
  const { signup } = (useLocation().state ?? {}) as { signup?: SignUpPrefill };
  const onDone = (account: NewAccount) =>
    navigate(emailVerificationPath('agent'), {
      replace: true,
      state: { email: account.email, signup: prefillOf(account) },
    });
  return (
    <AccountPage title={signUp.agent.title} lead={signUp.agent.lead}>
      <AgentSignUpForm prefill={signup ?? {}} onDone={onDone} />
      <div className="mt-8 border-t pt-5">
        <LinkLine question={signUp.haveAccount} to={paths.agent.signIn}>
          {signUp.signIn}
        </LinkLine>
      </div>
    </AccountPage>
  );
}
