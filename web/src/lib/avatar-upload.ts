/** Stores an avatar at its one path; a new picture overwrites the old one. */
import { ownProfile } from '@/copy/profiles';
import { extensionOf } from './files';
import { toAppError } from './errors';
import { supabase } from './supabase';

const BUCKET = 'profiles';

/** Answers the public URL; its version makes browsers forget the picture they have. */
export async function uploadAvatar(userId: string, file: File): Promise<string> {
  const bucket = supabase.storage.from(BUCKET);
  const path = `${userId}/avatar.${extensionOf(file.name)}`;
  const { error } = await bucket.upload(path, file, { upsert: true });
  if (error) throw toAppError(error, ownProfile.failed.text);
  return `${bucket.getPublicUrl(path).data.publicUrl}?v=${Date.now()}`;
}
