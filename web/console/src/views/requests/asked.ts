/** The address of a request to the data API, taken apart. */
export interface Asked {
  select: string | undefined;
  filters: readonly (readonly [string, string])[];
  order: string | undefined;
  limits: string | undefined;
  /** All other parameters. */
  others: readonly (readonly [string, string])[];
}

const OTHERS = new Set(['columns', 'on_conflict', 'apikey']);
const OF_ROWS = new Set(['limit', 'offset']);

export function takenApart(query: string): Asked {
  const pairs = [...new URLSearchParams(query)];
  const value = (wanted: string) => pairs.find(([name]) => name === wanted)?.[1];
  const limits = pairs.filter(([name]) => OF_ROWS.has(name)).map(([name, number]) => `${name} ${number}`);
  const rest = pairs.filter(([name]) => name !== 'select' && name !== 'order' && !OF_ROWS.has(name));
  return {
    select: value('select'),
    filters: rest.filter(([name]) => !OTHERS.has(name)),
    order: value('order'),
    limits: limits.length > 0 ? limits.join(', ') : undefined,
    others: rest.filter(([name]) => OTHERS.has(name)),
  };
}
