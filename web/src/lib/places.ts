/** Countries as a search asks the service for them, which knows them as profiles hold them: by code, or by name. */
import { countryCodes } from '@/data/countries';
import { countryCode, countryName } from './country';

/** More the service does not read. */
const MOST = 30;

export function spellingsOf(name: string): string[] {
  const code = countryCode(name);
  return code ? [code, name] : [name];
}

/** Codes and names of the countries that a text may mean; none where it may mean too many. */
export function meantPlaces(text: string): string[] {
  if (text === '') return [];
  const wanted = text.toLowerCase();
  const meant = countryCodes
    .map((code) => countryName(code))
    .filter((name) => name.toLowerCase().includes(wanted));
  return meant.length > MOST ? [] : meant.flatMap(spellingsOf);
}
