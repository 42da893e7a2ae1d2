import { adminList } from '@/copy/back-office';
import { formatPrice } from '@/lib/format';

/** `'$20,000 – $30,000'`; one bound alone, or a gap. */
export function budgetOf({
  budget_min: min,
  budget_max: max,
}: {
  budget_min: number | null;
  budget_max: number | null;
}) {
  const bounds = [min, max].filter((bound) => bound !== null);
  return bounds.length === 0 ? adminList.none : bounds.map(formatPrice).join(' – ');
}
