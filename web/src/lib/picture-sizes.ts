/** Pictures of our storage made to measure by the service, in the few sizes that it makes and keeps. */

/** Of a storage, below whatever address it stands. */
const STORED = /\/storage\/v1\/(?:object|render\/image)\/public\//;
const QUALITY = 75;

export interface Measure {
  /** In pixels, the smallest first. */
  widths: readonly number[];
  /** Width by height: what is beyond it is cut away in the service. */
  ratio: number;
}

export const measures = {
  car: { widths: [320, 640, 960, 1440], ratio: 4 / 3 },
  person: { widths: [96, 256], ratio: 1 },
} as const satisfies Record<string, Measure>;

/** What an image is told to choose from; nothing where the address, one of ours, leads to no stored file. */
export function sourcesOf(own: string, { widths, ratio }: Measure): { src: string; srcSet?: string } {
  if (!STORED.test(new URL(own).pathname)) return { src: own };
  const sources = widths.map((width) => ({
    width,
    address: rendered(own, width, Math.round(width / ratio)),
  }));
  const [smallest] = sources;
  return {
    src: smallest?.address ?? own,
    srcSet: sources.map(({ width, address }) => `${address} ${width}w`).join(', '),
  };
}

/** Of its own query only the version stays, which a replaced picture has anew. */
function rendered(own: string, width: number, height: number): string {
  const url = new URL(own);
  const version = url.searchParams.get('v');
  url.pathname = url.pathname.replace(STORED, '/storage/v1/render/image/public/');
  url.search = new URLSearchParams({
    width: String(width),
    height: String(height),
    resize: 'cover',
    quality: String(QUALITY),
    ...(version !== null && { v: version }),
  }).toString();
  return url.href;
}
