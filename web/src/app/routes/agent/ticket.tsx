import { useParams } from 'react-router-dom';
import { TicketPage } from '@/widgets/support/ticket-page';

export default function AgentTicketScreen() {
  return <TicketPage area="agent" ticketId={useParams().ticketId ?? ''} />;
}
