import { Badge } from '@/components/ui/badge';
import { support } from '@/copy/support';

const TONES = {
  open: 'neutral',
  in_progress: 'neutral',
  escalated: 'neutral',
  waiting_response: 'warning',
  resolved: 'success',
} as const;

export function TicketStatus({ status }: { status: string }) {
  const known = status in TONES ? (status as keyof typeof TONES) : 'open';
  return <Badge tone={TONES[known]}>{support.status[known]}</Badge>;
}
