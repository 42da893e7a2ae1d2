import { describe, expect, it } from 'vitest';
import { refuseContent } from './file-contents';

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);

function file(name: string, ...parts: BlobPart[]): File {
  return new File(parts, name);
}

describe('the content of a file', () => {
  it.each([
    ['passport.pdf', '%PDF-1.7'],
    ['passport.PDF', 'some words before\n%PDF-1.4'],
    ['me.png', PNG],
    ['me.jpg', JPEG],
    ['me.jpeg', PNG],
    ['me.webp', 'RIFF1234WEBPVP8 '],
    ['notes.txt', 'anything'],
  ])('of %s is what the name says', async (name, content) => {
    expect(await refuseContent(file(name, content))).toBeNull();
  });

  it.each([
    ['passport.pdf', 'MZ', 'This is not a real PDF file. Please choose the original.'],
    ['passport.jpg', '%PDF-1.4', 'This is not a real JPG file. Please choose the original.'],
    [
      'me.png',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'This is not a real PNG file. Please choose the original.',
    ],
    ['me.webp', 'RIFF1234AVI ', 'This is not a real WEBP file. Please choose the original.'],
  ])('of %s that is something else is refused', async (name, content, reason) => {
    expect(await refuseContent(file(name, content))).toBe(reason);
  });

  it('that is nothing at all is refused', async () => {
    expect(await refuseContent(file('passport.pdf'))).toBe('This file is empty. Please choose another one.');
  });
});
