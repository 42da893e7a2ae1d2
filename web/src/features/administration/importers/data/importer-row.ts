/** An importer as the back office lists it. */
import { memberSchema } from '@/features/administration/members/data/member';
import { count, name } from '@/features/administration/records/data/list-page';
import { z } from '@/lib/zod';

export const importerSchema = z.extend(memberSchema, {
  last_sign_in_at: name,
  status: z.enum(['active', 'inactive', 'suspended']),
  account_type: z.enum(['standard', 'business', 'premium']),
  requests: count,
  completed: count,
  success_rate: count,
  spent: count,
});

export type ImporterRow = z.infer<typeof importerSchema>;
