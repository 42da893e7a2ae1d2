import { SupportPage } from '@/app/support/support-page';

export default function AgentSupportScreen() {
  return <SupportPage area="agent" />;
}
