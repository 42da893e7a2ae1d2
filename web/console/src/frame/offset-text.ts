const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Seconds as people say them, in the two largest units: `+3 d 4 h`. */
export function offsetText(seconds: number): string {
  const sign = seconds < 0 ? '−' : '+';
  let rest = Math.round(Math.abs(seconds));
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.length > 0 ? `${sign}${parts.slice(0, 2).join(' ')}` : 'on time';
}
