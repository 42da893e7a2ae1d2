/** Names and flags of countries. Profiles may hold a code or, in older rows, an English name. */
import { countryCodes, ownNames } from '@/data/countries';
import { countryAliases } from '@/data/country-aliases';

const GLOBE = '🌐';
const A = 'A'.charCodeAt(0);
const REGIONAL_INDICATOR_A = 0x1f1e6;
const known = new Set(countryCodes);
const inEnglish = new Intl.DisplayNames('en', { type: 'region' });

/** The English name of a code of the list. */
function nameOf(code: string): string {
  return ownNames[code] ?? inEnglish.of(code) ?? code;
}

// CO2-006, CO2-012
/** `'jm'`, `'JM'` and `'Jamaica'` give `'JM'`; anything unknown gives null. */
export function countryCode(value: string | null | undefined): string | null {
  const text = value?.trim() ?? '';
  if (text === '') return null;
  const upper = text.toUpperCase();
  return known.has(upper) ? upper : codeOfName(text.toLowerCase());
}

function codeOfName(name: string): string | null {
  const names = (code: string) => [nameOf(code), ...(countryAliases[code] ?? [])];
  return countryCodes.find((code) => names(code).some((each) => each.toLowerCase() === name)) ?? null;
}

/** The English name; a value that is neither code nor name is returned as it is. */
export function countryName(value: string | null | undefined): string {
  const code = countryCode(value);
  return code ? nameOf(code) : (value?.trim() ?? '');
}

/** The flag as emoji text, a globe for an unknown country. */
export function flagEmoji(value: string | null | undefined): string {
  const code = countryCode(value);
  if (!code) return GLOBE;
  const letters = [0, 1].map((index) => REGIONAL_INDICATOR_A + code.charCodeAt(index) - A);
  return String.fromCodePoint(...letters);
}

export interface Country {
  code: string;
  name: string;
  /** What it calls itself, in the language most people there speak; empty where that is the name. */
  own: { name: string; language: string } | null;
  aliases: readonly string[];
}

/** By name. Asking for what all of them call themselves takes a while, so only whoever shows the list does. */
export function allCountries(): Country[] {
  const countries = countryCodes.map((code) => ({
    code,
    name: nameOf(code),
    own: ownNameOf(code),
    aliases: countryAliases[code] ?? [],
  }));
  return countries.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

function ownNameOf(code: string): Country['own'] {
  const { language, script } = new Intl.Locale(`und-${code}`).maximize();
  const [locale] = Intl.DisplayNames.supportedLocalesOf([`${language}-${script ?? 'Latn'}`]);
  if (!locale || language === 'en') return null;
  const name = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code);
  return name && name !== nameOf(code) ? { name, language } : null;
}
