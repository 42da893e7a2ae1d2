import { SupportCards } from '@/widgets/support/support-cards';
import { SettingsPage } from '@/features/settings/components/settings-page';

export default function ImporterSettingsScreen() {
  return <SettingsPage support={<SupportCards area="importer" />} />;
}
