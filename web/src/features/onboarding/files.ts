/** What an agent hands in, and which files each tray takes. */
import type { FileRule } from '@/lib/files';

export interface Documents {
  picture: File | null;
  identity: File | null;
  company: File | null;
  /** Of the transfer of the fee. */
  receipt: File | null;
}

export type DocumentKind = keyof Documents;

export const documentRule = {
  extensions: ['pdf', 'jpg', 'jpeg', 'png'],
  megabytes: 10,
} as const satisfies FileRule;
export const pictureRule = { extensions: ['jpg', 'jpeg', 'png'], megabytes: 5 } as const satisfies FileRule;

export const noDocuments: Documents = { picture: null, identity: null, company: null, receipt: null };

/** A file that was not taken, by its name, and why. */
export interface Refusal {
  name: string;
  reason: string;
}

export type Refusals = Partial<Record<DocumentKind, Refusal | undefined>>;

/** The service took everything but these. */
export class RefusedDocumentsError extends Error {
  readonly refusals: Refusals;

  constructor(refusals: Refusals) {
    super('Documents were refused');
    this.name = new.target.name;
    this.refusals = refusals;
  }
}
