/** Whether a file is what its name says, read from its first bytes: an upload of anything else would be refused later. */
import { validation } from '@/copy/validation';
import { extensionOf } from './files';

const HEAD = 1024;
const PICTURES = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
];
const PDF = [0x25, 0x50, 0x44, 0x46, 0x2d];
const PICTURE_NAMES = ['jpg', 'jpeg', 'png', 'webp'];

/** Why the content is refused; null when it is fine, or of a kind that is not looked into. */
export async function refuseContent(file: File): Promise<string | null> {
  if (file.size === 0) return validation.fileEmpty;
  const extension = extensionOf(file.name);
  const isKnown = extension === 'pdf' || PICTURE_NAMES.includes(extension);
  if (!isKnown) return null;
  const head = await headOf(file);
  const isReal = extension === 'pdf' ? contains(head, PDF) : isPicture(head);
  return isReal ? null : validation.fileFake(extension.toUpperCase());
}

/** Empty where the file is gone or has changed on the disk since it was chosen. */
function headOf(file: File): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => {
      const bytes = reader.result instanceof ArrayBuffer ? reader.result : new ArrayBuffer();
      resolve(new Uint8Array(bytes));
    };
    reader.readAsArrayBuffer(file.slice(0, HEAD));
  });
}

/** A JPEG that is named .png is still a picture, as the service sees it. */
function isPicture(head: Uint8Array): boolean {
  const isWebp = text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WEBP';
  return isWebp || PICTURES.some((signature) => startsWith(head, signature, 0));
}

function contains(head: Uint8Array, signature: number[]): boolean {
  return head.some((_, offset) => startsWith(head, signature, offset));
}

function startsWith(head: Uint8Array, signature: number[], offset: number): boolean {
  return signature.every((byte, index) => head[offset + index] === byte);
}

function text(head: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...head.slice(from, to));
}
