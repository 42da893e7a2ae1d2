import { SupportPage } from '@/widgets/support/support-page';

export default function AgentSupportScreen() {
  return <SupportPage area="agent" />;
}
