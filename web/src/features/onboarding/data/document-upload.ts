/**
 * Uploads one file to the private bucket. The library signs the address; the bytes go by XMLHttpRequest, because fetch
 * tells nothing about the progress of an upload.
 */
import { onboarding } from '@/copy/onboarding';
import { toAppError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { extensionOf, type DocumentKind } from '../files';

const BUCKET = 'verification-documents';

/** From 0 to 1. */
export type OnProgress = (part: number) => void;

/** Answers the object's name. Each attempt has a name of its own, since nothing in the bucket may be overwritten. */
export async function uploadDocument(
  agentId: string,
  kind: DocumentKind,
  file: File,
  onProgress: OnProgress,
): Promise<string> {
  const path = `${agentId}/${kind}-${Date.now()}.${extensionOf(file.name)}`;
  const answer = await supabase.storage.from(BUCKET).createSignedUploadUrl(path);
  const { signedUrl } = unwrap(answer, onboarding.failed.text);
  await send(signedUrl, file, onProgress);
  return path;
}

function send(url: string, file: File, onProgress: OnProgress): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(toAppError(null, onboarding.failed.text, request.status));
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => (request.status < 300 ? resolve() : fail());
    request.onerror = fail;
    request.open('PUT', url);
    request.send(formOf(file));
  });
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.append('cacheControl', '3600');
  form.append('', file);
  return form;
}
