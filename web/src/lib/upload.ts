/**
 * Uploads one file and says how far it is. The library signs the address; the bytes go by XMLHttpRequest, because
 * fetch tells nothing about the progress of an upload.
 */
import { errors } from '@/copy/errors';
import { ownProfile } from '@/copy/profiles';
import { toAppError, unwrap } from './errors';
import { extensionOf } from './files';
import { rememberRequest } from './request-trace';
import { portraitOf, scaledPicture } from './scaled-picture';
import { supabase } from './supabase';

/** From 0 to 1. */
export type OnProgress = (part: number) => void;

interface Upload {
  bucket: string;
  path: string;
  file: File;
  /** How long browsers may keep it unasked. */
  keptSeconds?: number;
}

export async function uploadWithProgress(
  { bucket, path, file, keptSeconds = 3600 }: Upload,
  onProgress: OnProgress,
): Promise<void> {
  const answer = await supabase.storage.from(bucket).createSignedUploadUrl(path);
  const { signedUrl } = unwrap(answer, errors.generic);
  await send(signedUrl, formOf(file, keptSeconds), onProgress);
}

function send(url: string, form: FormData, onProgress: OnProgress): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(refusalOf(request));
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => (request.status < 300 ? resolve() : fail());
    request.onerror = fail;
    request.open('PUT', url);
    request.send(form);
  });
}

/** The bytes do not go by the library, so its way of reading a refusal is repeated here. */
function refusalOf(request: XMLHttpRequest): Error {
  const { status, responseText } = request;
  rememberRequest(status, request.getResponseHeader('x-request-id'));
  return toAppError(parsed(responseText), errors.generic, status);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function formOf(file: File, keptSeconds: number): FormData {
  const form = new FormData();
  form.append('cacheControl', String(keptSeconds));
  form.append('', file);
  return form;
}

const BUCKET = 'profiles';

/** Stores an avatar, made small, at its one path, over the old one. Answers the public URL; its version makes browsers forget the picture they have. */
export async function uploadAvatar(userId: string, chosen: File): Promise<string> {
  const { file } = await scaledPicture(chosen, portraitOf(chosen));
  const bucket = supabase.storage.from(BUCKET);
  const path = `${userId}/avatar.${extensionOf(file.name)}`;
  const { error } = await bucket.upload(path, file, { upsert: true });
  if (error) throw toAppError(error, ownProfile.failed.text);
  return `${bucket.getPublicUrl(path).data.publicUrl}?v=${Date.now()}`;
}
