/** Uploads the photo of an offer and answers its public address. */
import { useState } from 'react';
import { extensionOf, type FileRule } from '@/lib/files';
import { supabase } from '@/lib/supabase';
import { uploadWithProgress, type OnProgress } from '@/lib/upload';
import { useMutation } from '@/lib/use-mutation';

const BUCKET = 'car-images';

export const photoRule = {
  extensions: ['jpg', 'jpeg', 'png', 'webp'],
  megabytes: 5,
} as const satisfies FileRule;

async function uploadPhoto(agentId: string, file: File, onProgress: OnProgress): Promise<string> {
  const path = `${agentId}/${Date.now()}.${extensionOf(file.name)}`;
  await uploadWithProgress({ bucket: BUCKET, path, file }, onProgress);
  return supabase.storage.from(BUCKET).getPublicUrl(path).data.publicUrl;
}

export function useUploadPhoto(agentId: string) {
  const [progress, setProgress] = useState(0);
  const mutation = useMutation({
    mutationFn: (file: File) => {
      setProgress(0);
      return uploadPhoto(agentId, file, setProgress);
    },
  });
  return { ...mutation, progress };
}
