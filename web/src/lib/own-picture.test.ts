import { expect, test } from 'vitest';
import { env } from '@/config/env';
import { ownPicture } from './own-picture';

const own = env.supabaseUrl;

test.each([
  [`${own}/storage/v1/object/public/profiles/1/avatar.png?v=2`],
  [`${own}/favicon.svg`],
  [`blob:${own}/8a2f`],
])('A picture of our own server is shown: %s', (address) => {
  expect(ownPicture(address)).toBe(address);
});

test.each([
  ['https://old-name.example/storage/v1/object/public/car-images/a%20b.png?v=1', '/object/public/car-images/a%20b.png?v=1'],
  ['http://localhost:1/b/one/storage/v1/render/image/public/x/y.png', '/render/image/public/x/y.png'],
])('A picture in storage is asked for here, whatever server its address names: %s', (address, path) => {
  expect(ownPicture(address)).toBe(`${own}/storage/v1${path}`);
}); // prettier-ignore

test('An address without a server is one of ours', () => {
  expect(ownPicture('/storage/v1/object/public/profiles/1/avatar.png')).toBe(
    `${own}/storage/v1/object/public/profiles/1/avatar.png`,
  );
});

test.each([
  [null],
  [''],
  ['http://['],
  ['https://tracker.example/pixel.gif?who=me'],
  ['//tracker.example/pixel.gif'],
  ['https://tracker.example/storage/v1/object/public/../../../../pixel.gif'],
  ['javascript:alert(1)'],
  ['data:image/svg+xml,<svg/>'],
])('Nothing is asked of another server: %s', (address) => {
  expect(ownPicture(address)).toBeNull();
});
