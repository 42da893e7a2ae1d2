import { DedicatedSignIn } from '@/features/accounts/components/dedicated-sign-in';

export default function ImporterSignInScreen() {
  return <DedicatedSignIn door="importer" />;
}
