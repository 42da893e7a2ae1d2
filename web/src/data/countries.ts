/**
 * The countries an account can name, by ISO 3166 code (XK, Kosovo, is in use and not in the standard); profiles store
 * the code. Their names are the browser's: see lib/country.ts.
 */
const CODES =
  'AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL ' +
  'CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW ' +
  'GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT ' +
  'LU LV LY MA MC MD ME MG MH MK ML MM MN MO MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG ' +
  'PH PK PL PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL ' +
  'TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW';

export const countryCodes: readonly string[] = CODES.split(' ');

/** Where the site names a country in other words than the list that browsers bring along (CLDR). */
export const ownNames: Readonly<Record<string, string>> = {
  AG: 'Antigua and Barbuda',
  BA: 'Bosnia and Herzegovina',
  CD: 'Congo (Democratic Republic)',
  CG: 'Congo',
  CV: 'Cabo Verde',
  HK: 'Hong Kong',
  KN: 'Saint Kitts and Nevis',
  LC: 'Saint Lucia',
  MM: 'Myanmar',
  MO: 'Macau',
  PS: 'Palestine',
  ST: 'São Tomé and Príncipe',
  TT: 'Trinidad and Tobago',
  VC: 'Saint Vincent and the Grenadines',
};
