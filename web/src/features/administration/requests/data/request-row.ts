/** An import request with its case, as the back office lists it. */
import { adminRequests } from '@/copy/back-office-cases';
import { count, day, name } from '@/features/administration/records/data/answers';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { z } from '@/lib/zod';

export const pieceSchema = z.object({
  kind: z.catch(z.string(), ''),
  title: z.string(),
  path: z.optional(z.string()),
});
export type Piece = z.infer<typeof pieceSchema>;

export const prioritySchema = z.enum(['urgent', 'high', 'medium', 'low']);

export const requestSchema = z.object({
  id: z.string(),
  importer_id: z.string(),
  importer_name: name,
  importer_country: name,
  car_make: z.string(),
  car_model: z.string(),
  year_range: name,
  budget_min: z.nullable(count),
  budget_max: z.nullable(count),
  shipping_port: name,
  description: name,
  created_at: day,
  status: z.enum(['pending_agent', 'pending_approval', 'in_progress', 'completed', 'disputed', 'cancelled']),
  priority: prioritySchema,
  progress: count,
  assigned_agent_id: name,
  assigned_agent: name,
  dispute_reason: name,
  evidence: z.nullable(z.array(pieceSchema)),
  notes: z.nullable(z.array(z.object({ at: z.catch(z.string(), ''), action: z.string(), text: z.string() }))),
  invitations: count,
});

/** As a list shows it. */
export const listedRequestSchema = z.omit(requestSchema, {
  description: true,
  dispute_reason: true,
  evidence: true,
  notes: true,
});

export type RequestRow = z.infer<typeof requestSchema>;
export type ListedRequest = z.infer<typeof listedRequestSchema>;

const BUCKET = 'dispute-evidence';
const SECONDS = 300;

/** An address of a piece of evidence that works for five minutes; the bucket itself is closed. */
export async function evidenceAddressOf(path: string): Promise<string> {
  const answer = await supabase.storage.from(BUCKET).createSignedUrl(path, SECONDS);
  return unwrap(answer, adminRequests.sheet.fileFailed).signedUrl;
}
