import { adminList } from '@/copy/back-office';
import { formatPrice } from '@/lib/format';

interface Budget {
  budget_min: number | null;
  budget_max: number | null;
}

/** `'$20,000 – $30,000'`, short `'$20k – 30k'`; one bound alone, or a gap. */
export function budgetOf({ budget_min: min, budget_max: max }: Budget, length: 'full' | 'short' = 'full') {
  const bounds = [min, max].filter((bound) => bound !== null);
  if (bounds.length === 0) return adminList.none;
  return length === 'full' ? bounds.map(formatPrice).join(' – ') : `$${bounds.map(thousands).join(' – ')}`;
}

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const thousands = (amount: number) => short.format(amount).replace('K', 'k');
