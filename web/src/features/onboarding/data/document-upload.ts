/** Uploads one document to the private bucket. */
import { extensionOf } from '@/lib/files';
import { uploadWithProgress, type OnProgress } from '@/lib/upload';
import type { DocumentKind } from '../files';

const BUCKET = 'verification-documents';

/** Answers the object's name. Each attempt has a name of its own, since nothing in the bucket may be overwritten. */
export async function uploadDocument(
  agentId: string,
  kind: DocumentKind,
  file: File,
  onProgress: OnProgress,
): Promise<string> {
  const path = `${agentId}/${kind}-${Date.now()}.${extensionOf(file.name)}`;
  await uploadWithProgress({ bucket: BUCKET, path, file }, onProgress);
  return path;
}
