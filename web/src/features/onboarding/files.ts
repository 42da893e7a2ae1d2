/** What an agent hands in, and which files each tray takes. */
import type { FileRule } from '@/lib/files';

export interface Documents {
  picture: File | null;
  identity: File | null;
  company: File | null;
}

export type DocumentKind = keyof Documents;

export const documentRule = {
  extensions: ['pdf', 'jpg', 'jpeg', 'png'],
  megabytes: 10,
} as const satisfies FileRule;
export const pictureRule = { extensions: ['jpg', 'jpeg', 'png'], megabytes: 5 } as const satisfies FileRule;

export const noDocuments: Documents = { picture: null, identity: null, company: null };
