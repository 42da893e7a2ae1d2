/** A piece of evidence, and an address of it that works for five minutes; the bucket itself is closed. */
import { adminRequests } from '@/copy/back-office-cases';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { z } from '@/lib/zod';

const BUCKET = 'dispute-evidence';
const SECONDS = 300;

export const pieceSchema = z.object({
  kind: z.catch(z.string(), ''),
  title: z.string(),
  path: z.optional(z.string()),
});
export type Piece = z.infer<typeof pieceSchema>;

export async function evidenceAddressOf(path: string): Promise<string> {
  const answer = await supabase.storage.from(BUCKET).createSignedUrl(path, SECONDS);
  return unwrap(answer, adminRequests.sheet.fileFailed).signedUrl;
}
