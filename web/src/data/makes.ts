/** Car makes a request or an offer can name; the form for offers also takes any other. */
// IPR-016
export const makes = [
  'Toyota',
  'Honda',
  'Nissan',
  'Mazda',
  'Mitsubishi',
  'Subaru',
  'Suzuki',
  'Daihatsu',
  'Isuzu',
  'Lexus',
  'Infiniti',
  'Acura',
] as const;
