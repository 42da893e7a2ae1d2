import { describe, expect, it } from 'vitest';
import { bodyOf } from './body-of';
import { portraitFile, type Paint } from './portrait';

const SAMPLES = '../../../../migrations/marketplace/supabase/seeds/small/objects/car-images/samples';

const cars: [file: string, make: string, model: string, paint: Paint][] = [
  ['toyota-aqua', 'Toyota', 'Aqua', 'pearl'],
  ['honda-vezel', 'Honda', 'Vezel', 'navy'],
  ['nissan-note', 'Nissan', 'Note', 'garnet'],
  ['mazda-cx5', 'Mazda', 'CX-5', 'graphite'],
  ['toyota-crown', 'Toyota', 'Crown', 'black'],
  ['subaru-wrx', 'Subaru', 'WRX', 'navy'],
];

/** `vitest -u` draws them anew. */
describe('the pictures of the sample cars', () => {
  it.each(cars)('%s.svg is drawn as a car without a photo is', async (file, make, model, paint) => {
    const picture = portraitFile(`${make} ${model}`, bodyOf(make, model), paint);
    await expect(picture).toMatchFileSnapshot(`${SAMPLES}/${file}.svg`);
  });

  it('glare in no theme', () => {
    expect(portraitFile('A car', 'sedan', 'pearl')).not.toMatch(/#f{3,6}\b|#fbfcfa|currentColor/i);
  });
});
