/** The form for a question and the questions asked before, as Settings and the page of their own show them. */
import { paths, type UserType } from '@/config/paths';
import { SupportForm } from '@/features/support/components/support-form';
import { TicketList } from '@/features/support/components/ticket-list';
import { useSignedIn, useIsSuspended } from '@/lib/auth/auth-context';

export function SupportCards({ area }: { area: UserType }) {
  const { user } = useSignedIn();
  const common = { userId: user.id, supportPath: paths[area].support };
  return (
    <>
      <SupportForm isSuspended={useIsSuspended()} {...common} />
      <TicketList {...common} />
    </>
  );
}
