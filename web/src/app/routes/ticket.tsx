/** One question to the team, and everything that was said about it. */
import { useParams } from 'react-router-dom';
import { BackLink } from '@/components/back-link';
import { paths, type UserType } from '@/config/paths';
import { support as copy } from '@/copy/support';
import { TicketThread } from '@/features/support/components/ticket-thread';
import { useSignedIn } from '@/lib/auth/auth-context';

export default function TicketScreen({ area }: { area: UserType }) {
  const { ticketId = '' } = useParams();
  const { user } = useSignedIn();
  return (
    <div className="max-w-[61rem]">
      <BackLink to={paths[area].support}>{copy.thread.back}</BackLink>
      <TicketThread key={ticketId} ticketId={ticketId} userId={user.id} />
    </div>
  );
}
