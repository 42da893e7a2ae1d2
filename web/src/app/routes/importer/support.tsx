import { SupportPage } from '@/widgets/support/support-page';

export default function ImporterSupportScreen() {
  return <SupportPage area="importer" />;
}
