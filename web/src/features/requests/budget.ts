import { requests as copy } from '@/copy/requests';
import { formatPrice } from '@/lib/format';

interface Budget {
  budget_min: number | null;
  budget_max: number | null;
  is_flexible_budget: boolean;
}

/** `'$8,000 – $12,000 (flexible)'`; null where no bound is known. */
export function budgetText({ budget_min: min, budget_max: max, is_flexible_budget: isFlexible }: Budget) {
  const bounds = [min, max].filter((bound) => bound !== null).map(formatPrice);
  if (bounds.length === 0) return null;
  return bounds.join(' – ') + (isFlexible ? ` (${copy.flexible})` : '');
}
