const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** To the smaller of the two units that are said: what took a second makes a day no `23 h 59 min`. */
function rounded(seconds: number): number {
  const largest = UNITS.findIndex(([, length]) => length <= seconds);
  const step = UNITS[Math.min(largest + 1, UNITS.length - 1)]?.[1] ?? 1;
  return largest === -1 ? seconds : Math.round(seconds / step) * step;
}

/** Seconds as people say them, in the two largest units: `+3 d 4 h`. */
export function offsetText(seconds: number): string {
  const sign = seconds < 0 ? '−' : '+';
  let rest = rounded(Math.round(Math.abs(seconds)));
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.length > 0 ? `${sign}${parts.slice(0, 2).join(' ')}` : 'on time';
}
