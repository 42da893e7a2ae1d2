import { Badge } from '@/components/ui/badge';
import { availableCars } from '@/copy/cars';
import type { CarAvailability } from '../availability';

const TONES = { 'in-stock': 'success', auction: 'tag', reserved: 'warning', sold: 'neutral' } as const;

export function CarAvailabilityBadge({ availability }: { availability: CarAvailability }) {
  return <Badge tone={TONES[availability]}>{availableCars.badges[availability]}</Badge>;
}
