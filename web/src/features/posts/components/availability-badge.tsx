import { Badge } from '@/components/ui/badge';
import { availability } from '@/copy/posts';

const TONES = { available: 'success', pending: 'warning', sold: 'neutral' } as const;

// STA-004
export function AvailabilityBadge({ status }: { status: string }) {
  const known = status in TONES ? (status as keyof typeof TONES) : 'available';
  return <Badge tone={TONES[known]}>{availability[known]}</Badge>;
}
