/** Uploads the photos of an offer, some at a time, and says the public address of each in the order they were chosen. */
import { useState } from 'react';
import { createPost } from '@/copy/post-form';
import { AppError, messageOf } from '@/lib/errors';
import { extensionOf, refuseFile, type FileRule } from '@/lib/files';
import { carPhoto, scaledPicture } from '@/lib/scaled-picture';
import { supabase } from '@/lib/supabase';
import { uploadWithProgress, type OnProgress } from '@/lib/upload';
import { useMutation } from '@/lib/use-mutation';

const BUCKET = 'car-images';
const AT_A_TIME = 3;
/** No name is given twice. */
const KEPT_SECONDS = 31_536_000;

/** Under way anywhere: a form that would leave them behind waits. */
export const photoUploadKey = ['photo-upload'] as const;

/** Of the file that is chosen; what is sent of it is smaller. */
export const photoRule = {
  extensions: ['jpg', 'jpeg', 'png', 'webp'],
  megabytes: 25,
} as const satisfies FileRule;

export interface PhotoUpload {
  id: string;
  file: File;
  /** From 0 to 1. */
  part: number;
  /** Why it was not taken. */
  reason: string | null;
  canRetry: boolean;
}

async function uploadPhoto(agentId: string, chosen: File, onProgress: OnProgress): Promise<string> {
  const { file, blur } = await scaledPicture(chosen, carPhoto);
  const name = `${Date.now()}-${Math.random().toString(36).slice(2, 8)}.${blur}.${extensionOf(file.name)}`;
  const path = `${agentId}/${name}`;
  await uploadWithProgress({ bucket: BUCKET, path, file, keptSeconds: KEPT_SECONDS }, onProgress);
  return supabase.storage.from(BUCKET).getPublicUrl(path).data.publicUrl;
}

/** A photo that is refused does not hold up the others. */
export function useUploadPhotos(agentId: string, onUploaded: (url: string) => void) {
  const [uploads, setUploads] = useState<PhotoUpload[]>([]);
  const change = (id: string, to: Partial<PhotoUpload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...to } : one)));
  const dismiss = (id: string) => setUploads((all) => all.filter((one) => one.id !== id));
  const uploadOne = async ({ id, file }: PhotoUpload): Promise<string | null> => {
    try {
      return await uploadPhoto(agentId, file, (part) => change(id, { part }));
    } catch (error) {
      const canRetry = !(error instanceof AppError && error.code === 'content');
      change(id, { reason: messageOf(error, createPost.photo.failed), canRetry });
      return null;
    }
  };
  const { mutate } = useMutation({
    mutationKey: photoUploadKey,
    variablesKey: (batch: PhotoUpload[]) => batch.map(({ id }) => id).join(),
    mutationFn: (batch: PhotoUpload[]) =>
      inOrder(batch, uploadOne, ({ id }, url) => {
        if (url === null) return;
        onUploaded(url);
        dismiss(id);
      }),
  });
  return {
    uploads,
    dismiss,
    upload: (files: File[]) => {
      const chosen = files.map(asUpload);
      setUploads((all) => [...all.filter(({ reason }) => reason === null), ...chosen]);
      const batch = chosen.filter(({ reason }) => reason === null);
      if (batch.length > 0) mutate(batch);
    },
    retry: (upload: PhotoUpload) => {
      change(upload.id, { part: 0, reason: null });
      mutate([upload]);
    },
  };
}

function asUpload(file: File): PhotoUpload {
  return { id: crypto.randomUUID(), file, part: 0, reason: refuseFile(file, photoRule), canRetry: false };
}

/** `work` on some of the items at a time, and `take` what comes of each once all before it are taken. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  take: (item: Item, result: Result) => void,
): Promise<void> {
  const results: Promise<Result>[] = [];
  for (const [place, item] of items.entries())
    results.push(Promise.resolve(results[place - AT_A_TIME]).then(() => work(item)));
  for (const [place, item] of items.entries()) take(item, (await results[place]) as Result);
}
