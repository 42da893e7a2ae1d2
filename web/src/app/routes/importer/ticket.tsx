import { useParams } from 'react-router-dom';
import { TicketPage } from '@/widgets/support/ticket-page';

export default function ImporterTicketScreen() {
  return <TicketPage area="importer" ticketId={useParams().ticketId ?? ''} />;
}
