import { describe, expect, it } from 'vitest';
import { blurIn, blurOf } from './picture-blur';
import { measures, sourcesOf } from './picture-sizes';

const STORED = 'http://minato.test/base/storage/v1/object/public/car-images/1/a%20b.jpg';

describe('the sources of a picture', () => {
  it('are made by the service, cut to the shape of their box', () => {
    const { src, srcSet } = sourcesOf(`${STORED}?width=9000&v=7`, measures.car);
    const made = 'http://minato.test/base/storage/v1/render/image/public/car-images/1/a%20b.jpg';
    expect(src).toBe(`${made}?width=320&height=240&resize=cover&quality=75&v=7`);
    expect(srcSet).toContain(`${made}?width=960&height=720&resize=cover&quality=75&v=7 960w`);
  });

  it('are what is named where it is no stored file', () => {
    for (const own of ['blob:http://minato.test/1', 'http://minato.test/favicon.svg'])
      expect(sourcesOf(own, measures.car)).toEqual({ src: own });
  });
});

describe('the colours in the name of a picture', () => {
  it('come back as a bitmap of as many pixels', () => {
    const red = new Uint8ClampedArray(Array.from({ length: 12 }, () => [255, 16, 0, 255]).flat());
    const address = blurIn(`http://minato.test/1/7-x.${blurOf(red)}.webp`);
    const bytes = Buffer.from(address?.split(',')[1] ?? '', 'base64');
    expect(bytes.subarray(0, 2).toString()).toBe('BM');
    expect(bytes.readUInt32LE(2)).toBe(bytes.length);
    expect([bytes.readInt32LE(18), bytes.readInt32LE(22)]).toEqual([4, -3]);
    expect([...bytes.subarray(bytes.readUInt32LE(10)).subarray(0, 3)]).toEqual([0, 16, 255]);
  });

  it('are not there in other names', () => {
    for (const name of ['a.jpg', `a.${'x'.repeat(47)}.webp`, `${'x'.repeat(48)}.webp`])
      expect(blurIn(`http://minato.test/1/${name}`)).toBeNull();
  });
});
