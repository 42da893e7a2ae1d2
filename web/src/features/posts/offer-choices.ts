/** What an offer says about a car in fixed words, which requests use as well, and how older offers wrote the same. */
import { bodyLabels } from '@/copy/offers';
import { postRequest } from '@/copy/requests';
import { conditions, fuels, transmissions } from '@/data/request-options';
import type { Post } from './data/posts-query';

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

/** What buyers narrow the cars by: per choice the words that mean it. */
const facets = {
  gearbox: {
    automatic: ['automatic', 'auto', 'at', 'a t'],
    manual: ['manual', 'mt', 'm t'],
    cvt: ['cvt'],
  },
  fuel: {
    gasoline: ['gasoline', 'petrol'],
    hybrid: ['hybrid', 'phev', 'hev'],
    electric: ['electric', 'ev'],
    diesel: ['diesel'],
  },
  drive: { fwd: ['fwd', 'ff'], rwd: ['rwd', 'fr'], awd: ['awd', '4wd', '4x4'] },
  colour: {
    white: ['white', 'pearl'],
    silver: ['silver'],
    grey: ['grey', 'gray', 'gunmetal'],
    black: ['black'],
    red: ['red', 'maroon', 'wine'],
    blue: ['blue', 'navy'],
    green: ['green'],
    yellow: ['yellow'],
    orange: ['orange'],
    brown: ['brown', 'bronze'],
    beige: ['beige', 'champagne'],
    gold: ['gold'],
    purple: ['purple', 'violet'],
  },
} as const;

const columns = {
  gearbox: 'transmission',
  fuel: 'fuel_type',
  drive: 'drivetrain',
  colour: 'color',
} as const satisfies Record<keyof typeof facets, keyof Post>;

export type FacetName = keyof typeof facets;

const namesOf = <Facet extends object>(facet: Facet) =>
  Object.keys(facet) as (keyof Facet extends infer Name extends string ? Name : never)[];

export const facetNames = {
  gearbox: namesOf(facets.gearbox),
  fuel: namesOf(facets.fuel),
  drive: namesOf(facets.drive),
  colour: namesOf(facets.colour),
};

/** Whether what the offer says means the choice: '2.5 petrol' is gasoline, 'Pearl white' is white. */
export function meansChoice(post: Pick<Post, (typeof columns)[FacetName]>, facet: FacetName, choice: string) {
  const text = ` ${plain(post[columns[facet]])} `;
  const words = (facets[facet] as Record<string, readonly string[]>)[choice] ?? [];
  return words.some((word) => text.includes(` ${word} `));
}

export function plain(text: string | null): string {
  return (text ?? '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(' ');
}

export function bodyLabel(body: string | null): string | null {
  return bodyCodes.some((code) => code === body) ? bodyLabels[body as BodyCode] : null;
}
