import { expect, test } from 'vitest';
import { env } from '@/config/env';
import { foreignPicture, ownPicture } from './own-picture';

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
])('Nothing is asked of another server unasked: %s', (address) => {
  expect(ownPicture(address)).toBeNull();
});

test.each([
  ['https://cars.example/aqua.jpg', 'cars.example'],
  ['http://cars.example:8080/a@2x.jpg?w=9', 'cars.example:8080'],
  ['https://bücher.example/a.jpg', 'xn--bcher-kva.example'],
])('A photo at another server is known by its host: %s', (address, host) => {
  expect(foreignPicture(address)?.host).toBe(host);
});

test.each([
  [null],
  ['aqua.jpg'],
  ['//cars.example/aqua.jpg'],
  [`${own}/storage/v1/object/public/car-images/1/a.png`],
  ['https://name:secret@cars.example/aqua.jpg'],
  ['ftp://cars.example/aqua.jpg'],
  ['javascript:alert(1)'],
  ['data:image/svg+xml,<svg/>'],
])('What is no plain web address elsewhere is never offered: %s', (address) => {
  expect(foreignPicture(address)).toBeNull();
});
