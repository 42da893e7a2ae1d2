/**
 * A picture as it is sent: no larger than anybody looks at it, upright, and without what the camera wrote beside it,
 * such as where it was taken. All of this comes of drawing it anew.
 */
import { validation } from '@/copy/validation';
import { AppError } from './errors';
import { extensionOf } from './files';
import { BLUR, blurOf } from './picture-blur';

const QUALITY = 0.85;

type Kind = 'image/webp' | 'image/jpeg' | 'image/png';

const KINDS: Record<string, Kind> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg' };

interface Wanted {
  /** The longest side in pixels; a smaller picture stays as small. */
  longest: number;
  /** In this order; which of them a browser writes is its own affair, all write JPEG and PNG. */
  types: readonly Kind[];
}

export const carPhoto: Wanted = { longest: 2400, types: ['image/webp', 'image/jpeg'] };

/** A PNG and a JPEG keep their kind, so that an avatar keeps its one path. */
export function portraitOf({ name }: File): Wanted {
  const kept = KINDS[extensionOf(name)];
  return { longest: 1024, types: kept ? [kept] : ['image/webp', 'image/jpeg'] };
}

export interface ScaledPicture {
  file: File;
  /** Its colours from far away, for its name. */
  blur: string;
}

/** Throws an `AppError` that says so where the browser makes no picture of it. */
export async function scaledPicture(file: File, wanted: Wanted): Promise<ScaledPicture> {
  const image = await decoded(file);
  const scale = Math.min(1, wanted.longest / Math.max(image.naturalWidth, image.naturalHeight));
  const drawn = drawing(
    image,
    Math.max(1, Math.round(image.naturalWidth * scale)),
    Math.max(1, Math.round(image.naturalHeight * scale)),
  );
  const content = await encoded(drawn, wanted.types);
  return {
    file: new File([content], named(file.name, content.type), { type: content.type }),
    blur: blurIn(drawn),
  };
}

function named(name: string, type: string): string {
  if (KINDS[extensionOf(name)] === type) return name;
  return `${name.replace(/\.[^.]*$/, '')}.${type === 'image/jpeg' ? 'jpg' : type.replace('image/', '')}`;
}

/** Why it is refused, before anybody waits for it to be sent; null where the browser makes a picture of it. */
export async function refusePicture(file: File): Promise<string | null> {
  try {
    await decoded(file);
    return null;
  } catch {
    return validation.picture;
  }
}

/** Browsers turn it as the camera was held. */
async function decoded(file: File): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
  } catch {
    throw new AppError(validation.picture, 'content');
  } finally {
    URL.revokeObjectURL(image.src);
  }
  if (image.naturalWidth === 0 || image.naturalHeight === 0)
    throw new AppError(validation.picture, 'content');
  return image;
}

/** What is transparent becomes white, which JPEG would make black. */
function drawing(source: CanvasImageSource, width: number, height: number): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = contextOf(canvas);
  context.imageSmoothingQuality = 'high';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(source, 0, 0, width, height);
  return canvas;
}

function blurIn(canvas: HTMLCanvasElement): string {
  const { width, height } = BLUR;
  return blurOf(contextOf(drawing(canvas, width, height)).getImageData(0, 0, width, height).data);
}

/** None where the browser has no memory left for it. */
function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new AppError(validation.picture, 'content');
  return context;
}

async function encoded(canvas: HTMLCanvasElement, types: Wanted['types']): Promise<Blob> {
  for (const type of types) {
    const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
    // A browser that does not write the one answers another.
    if (content?.type === type) return content;
  }
  throw new AppError(validation.picture, 'content');
}
