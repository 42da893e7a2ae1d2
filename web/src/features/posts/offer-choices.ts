/** What an offer says about a car in fixed words, which requests use as well, and how older offers wrote the same. */
import { bodyLabels } from '@/copy/offers';
import { postRequest } from '@/copy/requests';
import { conditions, fuels, transmissions } from '@/data/request-options';

export const bodyCodes = [
  'kei',
  'hatch',
  'sedan',
  'wagon',
  'coupe',
  'suv',
  'van',
  'truck',
  'bus',
  'other',
] as const;
export type BodyCode = (typeof bodyCodes)[number];

/** The lists of the form. Any other word is possible, too. */
export const offerChoices = {
  transmission: transmissions.filter((code) => code !== 'any').map((code) => postRequest.transmissions[code]),
  fuel: fuels.filter((code) => code !== 'any').map((code) => postRequest.fuels[code]),
  drivetrain: ['FWD', 'RWD', 'AWD', '4WD'],
  condition: conditions.filter((name) => name !== 'Any Condition'),
  color: [
    'White',
    'Pearl white',
    'Silver',
    'Grey',
    'Black',
    'Red',
    'Blue',
    'Green',
    'Yellow',
    'Orange',
    'Brown',
    'Beige',
    'Gold',
    'Purple',
  ],
} as const;
export type ChoiceField = keyof typeof offerChoices;

/** What buyers narrow the cars by; the service knows which words of an agent mean it. */
export const facetNames = {
  gearbox: ['automatic', 'manual', 'cvt'],
  fuel: ['gasoline', 'hybrid', 'electric', 'diesel'],
  drive: ['fwd', 'rwd', 'awd'],
  colour: [
    'white',
    'silver',
    'grey',
    'black',
    'red',
    'blue',
    'green',
    'yellow',
    'orange',
    'brown',
    'beige',
    'gold',
    'purple',
  ],
} as const;

export function bodyLabel(body: string | null): string | null {
  return bodyCodes.some((code) => code === body) ? bodyLabels[body as BodyCode] : null;
}
