import { BackLink } from '@/components/back-link';
import { paths, type UserType } from '@/config/paths';
import { support as copy } from '@/copy/support';
import { TicketThread } from '@/features/support/components/ticket-thread';
import { useSignedIn } from '@/lib/auth/auth-context';

export function TicketPage({ area, ticketId }: { area: UserType; ticketId: string }) {
  const { user } = useSignedIn();
  return (
    <div className="max-w-[61rem]">
      <BackLink to={paths[area].support}>{copy.thread.back}</BackLink>
      <TicketThread key={ticketId} ticketId={ticketId} userId={user.id} />
    </div>
  );
}
