/** Names and flags of countries. Profiles may hold a code or, in older rows, an English name. */
import { countries } from '@/data/countries';
import { countryAliases } from '@/data/country-aliases';

const GLOBE = '🌐';
const A = 'A'.charCodeAt(0);
const REGIONAL_INDICATOR_A = 0x1f1e6;
const nameByCode = new Map<string, string>(countries);
const codeByName = new Map<string, string>(countries.map(([code, name]) => [name.toLowerCase(), code]));
const codeByAlias = new Map(
  Object.entries(countryAliases).flatMap(([code, names]) => names.map((name) => [name.toLowerCase(), code])),
);

// CO2-006, CO2-012
/** `'jm'`, `'JM'` and `'Jamaica'` give `'JM'`; anything unknown gives null. */
export function countryCode(value: string | null | undefined): string | null {
  const text = value?.trim() ?? '';
  const upper = text.toUpperCase();
  if (nameByCode.has(upper)) return upper;
  const lower = text.toLowerCase();
  return codeByName.get(lower) ?? codeByAlias.get(lower) ?? null;
}

/** The English name; a value that is neither code nor name is returned as it is. */
export function countryName(value: string | null | undefined): string {
  const code = countryCode(value);
  return (code && nameByCode.get(code)) ?? value?.trim() ?? '';
}

/** The flag as emoji text, a globe for an unknown country. */
export function flagEmoji(value: string | null | undefined): string {
  const code = countryCode(value);
  if (!code) return GLOBE;
  const letters = [0, 1].map((index) => REGIONAL_INDICATOR_A + code.charCodeAt(index) - A);
  return String.fromCodePoint(...letters);
}
