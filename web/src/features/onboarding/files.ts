/** Which files the trays take. The name decides about the type; the server looks at the content. */
import { validation } from '@/copy/validation';

export interface FileRule {
  extensions: readonly string[];
  megabytes: number;
}

export interface Documents {
  picture: File | null;
  identity: File | null;
  company: File | null;
}

export type DocumentKind = keyof Documents;

export const documentRule: FileRule = { extensions: ['pdf', 'jpg', 'jpeg', 'png'], megabytes: 10 };
export const pictureRule: FileRule = { extensions: ['jpg', 'jpeg', 'png'], megabytes: 5 };

export const noDocuments: Documents = { picture: null, identity: null, company: null };

const MEGABYTE = 1024 * 1024;

/** Why a file is refused; null when it is fine. */
export function refuseFile(file: Pick<File, 'name' | 'size'>, rule: FileRule): string | null {
  if (!rule.extensions.includes(extensionOf(file.name))) return validation.fileType;
  return file.size > rule.megabytes * MEGABYTE ? validation.fileSize(rule.megabytes) : null;
}

export function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** `1536` → `'2 kB'`, `2621440` → `'2.5 MB'`. */
export function formatSize(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.max(1, Math.round(bytes / 1024))} kB`;
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
