/** What a request can be about, in the documented order. */
// IPR-017..IPR-021
export const yearRanges = [
  '2020-2024',
  '2015-2019',
  '2010-2014',
  '2005-2009',
  '2000-2004',
  '1995-1999',
  'Before 1995',
] as const;

export const conditions = ['New', 'Like New', 'Excellent', 'Good', 'Fair', 'Any Condition'] as const;

export const fuels = ['gasoline', 'hybrid', 'electric', 'diesel', 'any'] as const;

export const transmissions = ['automatic', 'manual', 'cvt', 'any'] as const;

/** How soon the car is wanted is what decides how urgent the request is. */
export const timelines = [
  ['high', 'ASAP (Within 1 week)'],
  ['medium', 'Within 1 month'],
  ['low', 'Within 3 months'],
  ['none', 'Flexible timing'],
] as const;

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
