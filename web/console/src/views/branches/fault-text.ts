import type { Fault } from '../../dev/types';

/** As one line: `request, table cars: status 503, 2 more`. */
export function faultText({ where, match, do: what, times }: Fault): string {
  const words = (given: Record<string, unknown>) =>
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name} ${String(value)}`);
  const left = times === null ? '' : `, ${times} more`;
  return `${[where, ...words(match)].join(', ')}: ${words(what).join(', ')}${left}`;
}
