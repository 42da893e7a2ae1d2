/** The figures of the back office follow the tables they come from; its lists follow their own. */
import { useQueryClient, type Query } from '@tanstack/react-query';
import { useRef } from 'react';
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
  const hasJoined = useRef(false);
  useOfficeChanges(FOLLOWS, async ({ ids }) => {
    // The figures were read a moment ago, when the screen was opened.
    const isOpening = ids !== null && !hasJoined.current;
    hasJoined.current = true;
    if (isOpening) return;
    const queryKey = administrationKeys.all;
    // A row that nobody looks at hears nothing: it is read when somebody does. A list asks what it missed.
    await client.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none', predicate: isNoList });
    await client.invalidateQueries({ queryKey, predicate: isFigure });
  });
}

const isNoList = ({ queryKey: [, part] }: Query) => part !== 'list' && part !== 'told';
const isFigure = (query: Query) => isNoList(query) && query.queryKey[1] !== 'row';
