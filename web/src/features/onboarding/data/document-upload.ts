/** Uploads what lies in the trays: papers to the private bucket, the picture to where avatars are. */
import { documents as copy } from '@/copy/onboarding';
import { validation } from '@/copy/validation';
import { AppError, NotAuthenticatedError, UnreachableError } from '@/lib/errors';
import { refuseContent } from '@/lib/file-contents';
import { extensionOf } from '@/lib/files';
import { uploadAvatar, uploadWithProgress, type OnProgress } from '@/lib/upload';
import {
  documentRule,
  RefusedDocumentsError,
  type DocumentKind,
  type Documents,
  type Refusal,
  type Refusals,
} from '../files';

const BUCKET = 'verification-documents';
const ORDER = ['identity', 'company', 'receipt', 'picture'] as const satisfies DocumentKind[];

export type OnKindProgress = (kind: DocumentKind, part: number) => void;

/** Object names in the private bucket; of the picture its public address. */
export type Places = Partial<Record<DocumentKind, string>>;

/** Where a file went in an earlier try: it need not go again. */
const sent = new WeakMap<File, string>();

/** One after the other, so that a slow line shows one bar moving. Says of all of them which were refused, and why. */
export async function uploadAll(
  agentId: string,
  documents: Documents,
  onProgress: OnKindProgress,
): Promise<Places> {
  const places: Places = {};
  const refusals: Refusals = {};
  for (const kind of ORDER) {
    const file = documents[kind];
    if (!file) continue;
    try {
      places[kind] = await uploadOnce(agentId, kind, file, (part) => onProgress(kind, part));
    } catch (error) {
      refusals[kind] = refusalOf(file, error);
      if (error instanceof UnreachableError || error instanceof NotAuthenticatedError) throw error;
    }
  }
  if (Object.keys(refusals).length > 0) throw new RefusedDocumentsError(refusals);
  return places;
}

async function uploadOnce(
  agentId: string,
  kind: DocumentKind,
  file: File,
  onProgress: OnProgress,
): Promise<string> {
  const known = sent.get(file);
  if (known?.includes(agentId)) return known;
  const reason = await refuseContent(file);
  if (reason !== null) throw new AppError(reason, 'content');
  const place = kind === 'picture' ? await uploadAvatar(agentId, file) : await uploadPaper(agentId, kind, file, onProgress); // prettier-ignore
  sent.set(file, place);
  return place;
}

/** Each attempt has a name of its own, since nothing in the bucket may be overwritten. */
async function uploadPaper(
  agentId: string,
  kind: DocumentKind,
  file: File,
  onProgress: OnProgress,
): Promise<string> {
  const path = `${agentId}/${kind}-${Date.now()}.${extensionOf(file.name)}`;
  await uploadWithProgress({ bucket: BUCKET, path, file }, onProgress);
  return path;
}

function refusalOf({ name }: File, error: unknown): Refusal {
  if (error instanceof AppError && error.code === 'content') return { name, reason: error.message };
  const status = meantBy(error);
  if (status === '413') return { name, reason: validation.fileSize(documentRule.megabytes) };
  if (status === '415') return { name, reason: validation.fileFake(extensionOf(name).toUpperCase()) };
  return { name, reason: copy.notUploaded };
}

/** What the storage service means by a refusal, which it answers with 400. */
function meantBy(error: unknown): string | undefined {
  const { cause } = error instanceof Error ? error : { cause: null };
  const { statusCode } = (cause ?? {}) as { statusCode?: unknown };
  return typeof statusCode === 'string' || typeof statusCode === 'number' ? `${statusCode}` : undefined;
}
