/** The figures of the back office follow the tables they come from; its lists follow their own. */
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
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
  useOfficeChanges(FOLLOWS, async () => {
    const queryKey = administrationKeys.all;
    // A list that nobody looks at hears nothing: it is read when somebody does.
    await client.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' });
    await client.invalidateQueries({ queryKey, predicate: isFigure });
  });
}

const isFigure = ({ queryKey: [, part] }: { queryKey: QueryKey }) => part !== 'list' && part !== 'row';
