import { SupportCards } from '@/widgets/support/support-cards';
import { SettingsPage } from '@/features/settings/components/settings-page';

export default function AgentSettingsScreen() {
  return <SettingsPage support={<SupportCards area="agent" />} />;
}
