import { DedicatedSignIn } from '@/features/accounts/components/dedicated-sign-in';

export default function AgentSignInScreen() {
  return <DedicatedSignIn door="agent" />;
}
