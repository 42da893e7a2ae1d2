/** What an importer asked for, in words; what was left open is any. */
import { myRequests, postRequest, requests } from '@/copy/requests';
import { formatPrice } from '@/lib/format';

interface Years {
  year_range: string | null;
  is_flexible_year: boolean;
}

/** `'2015-2019 (other years are fine too)'`; null where no year is known. */
export function yearsText({ year_range: years, is_flexible_year: isFlexible }: Years): string | null {
  return years && isFlexible ? `${years} ${requests.otherYears}` : years;
}

export function fuelName(fuel: string | null): string {
  return nameIn(postRequest.fuels, fuel);
}

export function transmissionName(transmission: string | null): string {
  return nameIn(postRequest.transmissions, transmission);
}

function nameIn(names: Record<string, string>, value: string | null): string {
  return value ? (names[value] ?? value) : myRequests.any;
}

interface Budget {
  budget_min: number | null;
  budget_max: number | null;
  is_flexible_budget: boolean;
}

/** `'$8,000 – $12,000 (flexible)'`; null where no bound is known. */
export function budgetText({ budget_min: min, budget_max: max, is_flexible_budget: isFlexible }: Budget) {
  const bounds = [min, max].filter((bound) => bound !== null).map(formatPrice);
  if (bounds.length === 0) return null;
  return bounds.join(' – ') + (isFlexible ? ` (${requests.flexible})` : '');
}
