/** Uploads the photos of an offer one after the other and says the public address of each as soon as it has one. */
import { useState } from 'react';
import { createPost } from '@/copy/post-form';
import { messageOf } from '@/lib/errors';
import { extensionOf, refuseFile, type FileRule } from '@/lib/files';
import { supabase } from '@/lib/supabase';
import { uploadWithProgress, type OnProgress } from '@/lib/upload';
import { useMutation } from '@/lib/use-mutation';

const BUCKET = 'car-images';

/** Under way anywhere: a form that would leave them behind waits. */
export const photoUploadKey = ['photo-upload'] as const;

export const photoRule = {
  extensions: ['jpg', 'jpeg', 'png', 'webp'],
  megabytes: 5,
} as const satisfies FileRule;

export interface PhotoRefusal {
  name: string;
  reason: string;
}

interface UnderWay {
  name: string;
  place: number;
  part: number;
}

async function uploadPhoto(agentId: string, file: File, onProgress: OnProgress): Promise<string> {
  const path = `${agentId}/${Date.now()}-${Math.random().toString(36).slice(2, 8)}.${extensionOf(file.name)}`;
  await uploadWithProgress({ bucket: BUCKET, path, file }, onProgress);
  return supabase.storage.from(BUCKET).getPublicUrl(path).data.publicUrl;
}

/** A photo that is refused does not hold up the others. */
export function useUploadPhotos(agentId: string, onUploaded: (url: string) => void) {
  const [underWay, setUnderWay] = useState<UnderWay | null>(null);
  const uploadOne = async (file: File, place: number): Promise<PhotoRefusal | null> => {
    const reason = refuseFile(file, photoRule);
    if (reason !== null) return { name: file.name, reason };
    setUnderWay({ name: file.name, place, part: 0 });
    try {
      onUploaded(await uploadPhoto(agentId, file, (part) => setUnderWay({ name: file.name, place, part })));
      return null;
    } catch (error) {
      return { name: file.name, reason: messageOf(error, createPost.photo.failed) };
    }
  };
  const mutation = useMutation({
    mutationKey: photoUploadKey,
    mutationFn: async (files: File[]) => {
      const refusals: PhotoRefusal[] = [];
      for (const [index, file] of files.entries()) {
        const refusal = await uploadOne(file, index + 1);
        if (refusal) refusals.push(refusal);
      }
      return refusals;
    },
    onSettled: () => setUnderWay(null),
  });
  return {
    upload: mutation.mutate,
    isPending: mutation.isPending,
    refusals: mutation.data ?? [],
    underWay,
    count: mutation.variables?.length ?? 0,
  };
}
