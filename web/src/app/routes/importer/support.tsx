import { SupportPage } from '@/app/support/support-page';

export default function ImporterSupportScreen() {
  return <SupportPage area="importer" />;
}
