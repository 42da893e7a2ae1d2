/** The figures and lists of the back office follow the tables they come from: one reading for a burst of changes. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { administrationKeys } from '@/features/administration/records/data/record-list';
import { readRowsAgain } from '@/lib/live-rows';
import { inBursts } from '@/lib/realtime/bursts';
import { listenToTable } from '@/lib/realtime/channel-registry';

const TABLES = [
  'car_requests',
  'request_cases',
  'agent_posts',
  'agent_verifications',
  'support_tickets',
  'conversation_reports',
  'admin_audit_log',
];

export function useLiveOffice(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const bursts = inBursts(() => readRowsAgain(queryClient, administrationKeys.all));
    const stops = TABLES.map((table) =>
      listenToTable({ name: `office_${table}`, event: '*', table }, bursts.add),
    );
    return () => {
      bursts.stop();
      stops.forEach((stop) => stop());
    };
  }, [queryClient]);
}
