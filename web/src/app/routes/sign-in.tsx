/** The page of one door. A message and an address may arrive in the navigation state. */
import { useLocation } from 'react-router-dom';
import { Alert } from '@/components/ui/alert';
import { paths, type UserType } from '@/config/paths';
import { signIn as copy } from '@/copy/auth';
import { AccountPage } from '@/features/accounts/components/account-page';
import { LinkLine } from '@/features/accounts/components/account-parts';
import { LinkFailure } from '@/features/accounts/components/link-failure';
import { SignInForm } from '@/features/accounts/components/sign-in-form';
import { pageAfterSignIn } from '@/features/accounts/sign-in-outcome';
import { useNavigate } from '@/lib/navigation/use-navigate';

interface SignInState {
  message?: string;
  email?: string;
}

export default function SignInScreen({ door }: { door: UserType }) {
  const navigate = useNavigate();
  const state = (useLocation().state ?? {}) as SignInState;
  const otherDoor = door === 'agent' ? 'importer' : 'agent';
  const text = copy[door];
  return (
    <AccountPage title={text.title} lead={text.lead}>
      <LinkFailure email={state.email ?? ''} />
      {state.message && (
        <div className="mb-5">
          <Alert tone="info" text={state.message} />
        </div>
      )}
      <SignInForm
        door={door}
        email={state.email ?? ''}
        onDone={() => navigate(pageAfterSignIn(state, door))}
      />
      <div className="mt-8 space-y-2 border-t pt-5">
        <LinkLine question={text.noAccount} to={paths[door].signUp}>
          {text.register}
        </LinkLine>
        <LinkLine question={text.otherDoor} to={paths[otherDoor].signIn}>
          {text.otherDoorLink}
        </LinkLine>
      </div>
    </AccountPage>
  );
}
