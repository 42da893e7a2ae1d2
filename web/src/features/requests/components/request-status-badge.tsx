import { Badge } from '@/components/ui/badge';
import { requestStatus } from '@/copy/requests';

const TONES = { active: 'success', pending: 'warning', completed: 'neutral', expired: 'neutral' } as const;

export function RequestStatusBadge({ status }: { status: string }) {
  const known = status in TONES ? (status as keyof typeof TONES) : 'expired';
  return <Badge tone={TONES[known]}>{requestStatus[known]}</Badge>;
}
