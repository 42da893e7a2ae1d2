/** Which files a form takes. The name decides about the type; the server looks at the content. */
import { validation } from '@/copy/validation';

export interface FileRule {
  /** Null takes whatever the browser calls an image. */
  extensions: readonly string[] | null;
  megabytes: number;
}

const MEGABYTE = 1024 * 1024;

/** Why a file is refused; null when it is fine. */
export function refuseFile(file: Pick<File, 'name' | 'size' | 'type'>, rule: FileRule): string | null {
  if (!isTaken(file, rule)) return validation.fileType;
  return file.size > rule.megabytes * MEGABYTE ? validation.fileSize(rule.megabytes) : null;
}

function isTaken(file: Pick<File, 'name' | 'type'>, { extensions }: FileRule): boolean {
  if (extensions === null) return file.type.startsWith('image/');
  return extensions.includes(extensionOf(file.name));
}

/** What the file dialog offers: `.jpg,.png`, or every image. */
export function acceptOf({ extensions }: FileRule): string {
  return extensions?.map((extension) => `.${extension}`).join(',') ?? 'image/*';
}

export function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** `1536` → `'2 kB'`, `2621440` → `'2.5 MB'`. */
export function formatSize(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.max(1, Math.round(bytes / 1024))} kB`;
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
