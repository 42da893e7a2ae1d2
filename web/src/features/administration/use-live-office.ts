/** The figures of the back office follow the tables they come from; its lists follow their own. */
import { useQueryClient } from '@tanstack/react-query';
import { administrationKeys } from '@/features/administration/records/data/record-list';
import { useOfficeChanges, type Follows } from '@/features/administration/records/use-office-changes';

const anything = () => undefined;

const FOLLOWS: Follows = {
  car_requests: anything,
  request_cases: anything,
  agent_posts: anything,
  agent_verifications: anything,
  support_tickets: anything,
  conversation_reports: anything,
  admin_audit_log: anything,
};

export function useLiveOffice(): void {
  const client = useQueryClient();
  useOfficeChanges(FOLLOWS, () =>
    client.invalidateQueries({
      queryKey: administrationKeys.all,
      predicate: ({ queryKey: [, part] }) => part !== 'list' && part !== 'row',
    }),
  );
}
