import { useLocation } from 'react-router-dom';
import { emailVerificationPath, paths } from '@/config/paths';
import { signUp } from '@/copy/auth';
import { AccountPage } from '@/features/accounts/components/account-page';
import { LinkLine } from '@/features/accounts/components/account-parts';
import { ImporterSignUpForm } from '@/features/accounts/components/importer-sign-up-form';
import type { NewAccount } from '@/features/accounts/data/sign-up-mutation';
import { prefillOf, type SignUpPrefill } from '@/features/accounts/sign-up-prefill';
import { useNavigate } from '@/lib/navigation/use-navigate';

export default function ImporterSignUpScreen() {
  const navigate = useNavigate();
  const { signup } = (useLocation().state ?? {}) as { signup?: SignUpPrefill };
  const onDone = (account: NewAccount) =>
    navigate(emailVerificationPath('importer'), {
      replace: true,
      state: { email: account.email, signup: prefillOf(account) },
    });
  return (
    <AccountPage title={signUp.importer.title} lead={signUp.importer.lead}>
      <ImporterSignUpForm prefill={signup ?? {}} onDone={onDone} />
      <div className="mt-8 border-t pt-5">
        <LinkLine question={signUp.haveAccount} to={paths.importer.signIn}>
          {signUp.signIn}
        </LinkLine>
      </div>
    </AccountPage>
  );
}
