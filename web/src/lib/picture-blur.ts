/**
 * What a picture looks like from far away, kept in the name of its file: 4 × 3 colours, which the browser blurs into
 * each other. It is there with the row that names the picture and costs no request.
 */
export const BLUR = { width: 4, height: 3 };

const NAMED = /\.([\w-]{48})\.\w+$/;
/** The head of a bitmap of 4 × 3 pixels from the top down, each blue, green, red. */
const BITMAP = 'Qk1aAAAAAAAAADYAAAAoAAAABAAAAP3///8BABgAAAAAACQAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Out of the pixels of a canvas that small (red, green, blue, alpha): 48 letters of base64 for file names. */
export function blurOf(pixels: Uint8ClampedArray): string {
  const colours: number[] = [];
  for (let at = 0; at < pixels.length; at += 4)
    colours.push(pixels[at + 2] ?? 0, pixels[at + 1] ?? 0, pixels[at] ?? 0);
  return btoa(String.fromCharCode(...colours))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/** The address of the small picture in a picture's name; null where there is none. */
export function blurIn(address: string): string | null {
  const code = NAMED.exec(new URL(address).pathname)?.[1];
  return code === undefined
    ? null
    : `data:image/bmp;base64,${BITMAP}${code.replaceAll('-', '+').replaceAll('_', '/')}`;
}
