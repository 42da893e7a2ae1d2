/** An importer as the back office lists it. */
import { z } from '@/lib/zod';
import { memberSchema } from './agent-row';
import { count, name } from './list-page';

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
